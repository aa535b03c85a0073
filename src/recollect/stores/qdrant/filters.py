"""A scope in, a filter of Qdrant out: it never leaves out what the scope shows.

It may let a little more through, which the store then takes back: the project of a session is looked
up in the store for every query, and notes whose points are behind pass whatever they say.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from recollect.model.query import Scope
from recollect.ports import Roster
from recollect.stores.qdrant.points import stamp

if TYPE_CHECKING:
    from qdrant_client.models import Condition, Filter

_MANY: Final = 1_000_000


def sees_nothing(scope: Scope) -> bool:
    return scope.sessions == frozenset() or scope.projects == frozenset()


def filter_for(scope: Scope, roster: Roster, behind: Iterable[str]) -> "Filter":
    from qdrant_client.models import Filter

    must = [any_of("space", scope.spaces)]
    if scope.sessions is not None:
        must.append(any_of("session", scope.sessions))
    if scope.projects is not None:
        must.append(_in_projects(scope, roster))
    must.extend(any_of("tags", [tag]) for tag in sorted(scope.tags))
    must.extend(_within(scope))
    hidden = [any_of("note", scope.excluded)] if scope.excluded else None
    late = sorted(behind)
    if not late:
        return Filter(must=must, must_not=hidden)
    return Filter(should=[Filter(must=must), any_of("note", late)], must_not=hidden)


def any_of(field: str, values: Iterable[str]) -> "Condition":
    from qdrant_client.models import FieldCondition, MatchAny

    return FieldCondition(key=field, match=MatchAny(any=sorted(values)))


def _in_projects(scope: Scope, roster: Roster) -> "Condition":
    from qdrant_client.models import Filter

    wanted = sorted(scope.projects or ())
    sessions = {
        session.id
        for space in sorted(scope.spaces)
        for project in wanted
        for session in roster.list_sessions(space, _MANY, project=project)
    }
    either: list[Condition] = [any_of("project", wanted)]
    if sessions:
        either.append(any_of("session", sessions))
    return Filter(should=either)


def _within(scope: Scope) -> "Sequence[Condition]":
    from qdrant_client.models import FieldCondition, Range

    if scope.since is None and scope.before is None:
        return []
    since, before = (None if at is None else stamp(at) for at in (scope.since, scope.before))
    return [FieldCondition(key="modified", range=Range(gte=since, lt=before))]
