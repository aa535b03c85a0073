"""A scope in, an SQL condition on a note `n` and its parameters out. Pure."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from recollect.model.query import Scope
from recollect.stores.sqlite.listing import GIVEN, listed
from recollect.stores.sqlite.moments import stored

# A session's notes are in the project the session is in now; other notes in their own.
PROJECT_OF: Final = """CASE
    WHEN EXISTS (SELECT 1 FROM sessions s WHERE s.space = n.space AND s.session = n.session)
    THEN (SELECT s.project FROM sessions s WHERE s.space = n.space AND s.session = n.session)
    ELSE n.project END"""
_IN_PROJECTS: Final = f"{PROJECT_OF} IN {GIVEN}"


class Where(NamedTuple):
    condition: str
    parameters: tuple[str | int, ...]


def where(scope: Scope) -> Where:
    parts = [_one_of("n.space", scope.spaces)]
    if scope.sessions is not None:
        parts.append(_one_of("n.session", scope.sessions))
    if scope.projects is not None:
        parts.append(Where(_IN_PROJECTS, (listed(sorted(scope.projects)),)))
    parts.extend(
        Where("EXISTS (SELECT 1 FROM tags t WHERE t.tag = ? AND t.note = n.row)", (tag,))
        for tag in sorted(scope.tags)
    )
    if scope.since is not None:
        parts.append(Where("n.modified_at >= ?", (stored(scope.since),)))
    if scope.before is not None:
        parts.append(Where("n.modified_at < ?", (stored(scope.before),)))
    if scope.excluded:
        parts.append(Where(f"n.id NOT IN {GIVEN}", (listed(sorted(scope.excluded)),)))
    condition = " AND ".join(part.condition for part in parts)
    return Where(condition, tuple(value for part in parts for value in part.parameters))


def _one_of(column: str, values: Iterable[str]) -> Where:
    several = sorted(values)
    if len(several) == 1:
        return Where(f"{column} = ?", (several[0],))
    return Where(f"{column} IN {GIVEN}", (listed(several),))
