"""Embeddings in dictionaries, one per model; every search is exact."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from recollect.model.errors import BadInput
from recollect.model.note import Passage
from recollect.model.query import Scope
from recollect.model.ranking import Hit
from recollect.ports import Vector
from recollect.stores.hits import best_of_each, in_order
from recollect.stores.memory.state import State


class MemoryVectors:
    may_wait = False

    def __init__(self, state: State) -> None:
        self._state = state

    def nearest(self, model: str, vector: Vector, scope: Scope, depth: int) -> Sequence[Hit]:
        visible = [passage for one in self._state.seen_in(scope) for passage in one.passages]
        return self._compared(model, vector, visible)[:depth]

    def similarities(self, model: str, vector: Vector, note_ids: Iterable[str]) -> Sequence[Hit]:
        documents = (self._state.documents.get(note_id) for note_id in dict.fromkeys(note_ids))
        passages = [passage for one in documents if one is not None for passage in one.passages]
        return best_of_each(self._compared(model, vector, passages))

    def missing(self, model: str) -> int:
        return len(self._state.passages) - len(self._state.vectors.get(model, {}))

    def recently_accessed(self, model: str, scope: Scope, count: int) -> Sequence[str]:
        own = self._state.vectors.get(model, {})
        embedded = [
            one.note.id
            for one in self._state.seen_in(scope)
            if any(passage.id in own for passage in one.passages)
        ]
        return sorted(embedded, key=lambda note_id: (-self._last_access(note_id), note_id))[:count]

    def put_vectors(self, model: str, vectors: Mapping[str, Vector]) -> None:
        known = {
            passage_id: v for passage_id, v in vectors.items() if passage_id in self._state.passages
        }
        own = self._state.vectors.get(model, {})
        sizes = {len(v) for v in (*own.values(), *known.values())}
        if len(sizes) > 1:
            raise BadInput("vectors", sorted(sizes), f"are different dimensions for model {model}")
        self._state.vectors[model] = own | known

    def without_vector(self, model: str, count: int) -> Sequence[Passage]:
        own = self._state.vectors.get(model, {})
        waiting = (one for passage_id, one in self._state.passages.items() if passage_id not in own)
        return [one for one, _ in zip(waiting, range(count), strict=False)]

    def drop_model(self, model: str) -> int:
        return len(self._state.vectors.pop(model, {}))

    def _compared(self, model: str, vector: Vector, passages: Iterable[Passage]) -> list[Hit]:
        own = self._state.vectors.get(model, {})
        hits = [
            Hit(passage.note_id, float(np.dot(own[passage.id], vector)), passage.id)
            for passage in passages
            if passage.id in own
        ]
        return in_order(hits)

    def _last_access(self, note_id: str) -> float:
        at = self._state.usage[note_id].accessed_at
        return 0.0 if at is None else at.timestamp()
