"""Links between notes, followed in both directions."""

from collections.abc import Iterator, Mapping, Sequence

from recollect.model.query import Scope
from recollect.model.ranking import Hit
from recollect.stores.memory.state import State


class MemoryGraph:
    may_wait = False

    def __init__(self, state: State) -> None:
        self._state = state

    def neighbours(self, seeds: Mapping[str, float], scope: Scope, depth: int) -> Sequence[Hit]:
        touching: dict[str, set[str]] = {}
        for source, target in self._arrows():
            for seed, other in ((source, target), (target, source)):
                if seed in seeds and self._state.sees(scope, other):
                    touching.setdefault(other, set()).add(seed)
        hits = [
            Hit(note_id, sum(seeds[seed] for seed in sorted(own)))
            for note_id, own in touching.items()
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.note_id))[:depth]

    def _arrows(self) -> Iterator[tuple[str, str]]:
        for document in self._state.documents.values():
            for link in document.note.links:
                target = self._state.documents.get(link.target)
                own = document.note
                if target and target.note.id != own.id and target.note.space == own.space:
                    yield own.id, target.note.id
