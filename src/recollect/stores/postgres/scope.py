"""A scope in, an SQL condition on a note `n` and its parameters out. Pure."""

import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from recollect.model.query import Scope

# A session's notes are in the project the session is in now; other notes in their own.
PROJECT_OF: Final = """CASE
    WHEN EXISTS (SELECT 1 FROM sessions s WHERE s.space = n.space AND s.session = n.session)
    THEN (SELECT s.project FROM sessions s WHERE s.space = n.space AND s.session = n.session)
    ELSE n.project END"""
# The first part leads to few notes by their indexes; the second says which of these it is.
_IN_PROJECTS: Final = f"""(n.project = ANY(%s::text[]) OR n.session = ANY(ARRAY(
    SELECT s.session FROM sessions s WHERE s.space = ANY(%s::text[]) AND s.project = ANY(%s::text[])
))) AND {PROJECT_OF} = ANY(%s::text[])"""

_UNKEEPABLE: Final = re.compile("[\x00\ud800-\udfff]")


class Where(NamedTuple):
    condition: str
    parameters: tuple[Any, ...]


def where(scope: Scope, spaces: Iterable[str] | None = None) -> Where:
    """`spaces`: only those of the scope's spaces."""
    own = keepable(spaces or scope.spaces)
    parts = [Where("n.space = ANY(%s::text[])", (own,)), *_narrowing(scope, own)]
    condition = " AND ".join(part.condition for part in parts)
    return Where(condition, tuple(value for part in parts for value in part.parameters))


def narrows(scope: Scope) -> bool:
    """Whether it asks for more than whole spaces."""
    return bool(_narrowing(scope, []))


def keepable(names: Iterable[str]) -> list[str]:
    """Without those that no row can bear: Postgres keeps neither NUL nor half a surrogate pair."""
    return sorted(name for name in names if is_keepable(name))


def is_keepable(name: str) -> bool:
    return _UNKEEPABLE.search(name) is None


def _narrowing(scope: Scope, spaces: list[str]) -> list[Where]:
    parts = []
    if scope.sessions is not None:
        parts.append(Where("n.session = ANY(%s::text[])", (keepable(scope.sessions),)))
    if scope.projects is not None:
        projects = keepable(scope.projects)
        parts.append(Where(_IN_PROJECTS, (projects, spaces, projects, projects)))
    if scope.tags:
        parts.append(_tagged(scope.tags))
    if scope.since is not None:
        parts.append(Where("n.modified_at >= %s", (scope.since,)))
    if scope.before is not None:
        parts.append(Where("n.modified_at < %s", (scope.before,)))
    if scope.excluded:
        parts.append(Where("NOT n.id = ANY(%s::text[])", (keepable(scope.excluded),)))
    return parts


def _tagged(tags: frozenset[str]) -> Where:
    if not all(map(is_keepable, tags)):
        return Where("false", ())
    return Where("n.tags @> %s::text[]", (sorted(tags),))
