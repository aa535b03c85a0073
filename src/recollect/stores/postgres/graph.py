"""Links between notes of one space, followed in both directions."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from recollect.model.query import Scope
from recollect.model.ranking import Hit
from recollect.stores.postgres.connections import Connection, Connections
from recollect.stores.postgres.rows import by_space
from recollect.stores.postgres.scope import where
from recollect.stores.seeing import sees_nothing

_TOUCHING: Final = (
    "SELECT n.id, array_agg(DISTINCT t.seed) FROM ("
    "  SELECT l.target AS other, l.source AS seed FROM links l"
    "    WHERE l.space = %s AND l.source = ANY(%s::text[])"
    "  UNION SELECT l.source, l.target FROM links l"
    "    WHERE l.space = %s AND l.target = ANY(%s::text[])"
    ") t JOIN notes n ON n.id = t.other WHERE n.id != t.seed AND {condition} GROUP BY n.id"
)


class PostgresGraph:
    may_wait = True

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def neighbours(self, seeds: Mapping[str, float], scope: Scope, depth: int) -> Sequence[Hit]:
        if not seeds or depth < 1 or sees_nothing(scope):
            return []
        touching = self._connections.search(lambda connection: _touching(connection, seeds, scope))
        hits = [
            Hit(note_id, sum(seeds[seed] for seed in sorted(own)))
            for note_id, own in touching.items()
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.note_id))[:depth]


def _touching(
    connection: Connection, seeds: Mapping[str, float], scope: Scope
) -> dict[str, list[str]]:
    """The notes one link away, and the seeds each touches. Links stay within their space."""
    found: dict[str, Any] = {}
    for space, ids in by_space(connection, seeds).items():
        if space in scope.spaces:
            seen = where(scope, [space])
            statement = _TOUCHING.format(condition=seen.condition)
            parameters = (space, ids, space, ids, *seen.parameters)
            found |= dict(connection.execute(statement, parameters).fetchall())
    return found
