"""Links between notes of one space, followed in both directions."""

from collections.abc import Mapping, Sequence
from typing import Final

from recollect.model.query import Scope
from recollect.model.ranking import Hit
from recollect.stores.seeing import sees_nothing
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.listing import GIVEN, listed
from recollect.stores.sqlite.scope import where

_OUTWARD: Final = "JOIN links l ON l.source = seed.row JOIN notes n ON n.id = l.target"
_INWARD: Final = "JOIN links l ON l.target = seed.id JOIN notes n ON n.row = l.source"


class SQLiteGraph:
    may_wait = False

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def neighbours(self, seeds: Mapping[str, float], scope: Scope, depth: int) -> Sequence[Hit]:
        if not seeds or depth < 1 or sees_nothing(scope):
            return []
        seen = where(scope)
        directions = (
            f"SELECT n.id, seed.id FROM notes seed {arrows} WHERE seed.id IN {GIVEN}"
            f" AND n.space = seed.space AND n.row != seed.row AND {seen.condition}"
            for arrows in (_OUTWARD, _INWARD)
        )
        parameters = (listed(seeds), *seen.parameters) * 2
        touching: dict[str, list[str]] = {}
        with self._connections.reading() as connection:
            for note_id, seed in connection.execute(" UNION ".join(directions), parameters):
                touching.setdefault(note_id, []).append(seed)
        hits = [
            Hit(note_id, sum(seeds[seed] for seed in sorted(own)))
            for note_id, own in touching.items()
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.note_id))[:depth]
