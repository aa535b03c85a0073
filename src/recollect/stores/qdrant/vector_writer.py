"""Writing embeddings to Qdrant, and into the store's books once they are there.

A passage is in the books only when its point is in Qdrant, so that whatever is interrupted waits.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from recollect.model.note import Note, Passage
from recollect.ports import Store, Vector
from recollect.stores.qdrant.behind import Behind
from recollect.stores.qdrant.collections import Collections
from recollect.stores.qdrant.line import NotThere
from recollect.stores.qdrant.points import payload_of, point_of, traits_in

if TYPE_CHECKING:
    from qdrant_client.models import PointStruct


class QdrantVectorWriter:
    def __init__(self, store: Store, collections: Collections, behind: Behind) -> None:
        self._store = store
        self._collections = collections
        self._ledger = collections.ledger
        self._behind = behind
        self._changing = threading.Lock()
        self._handed_out: dict[tuple[str, str], str] = {}

    def put_vectors(self, model: str, vectors: Mapping[str, Vector]) -> None:
        passages = self._as_handed_out(model, vectors)
        if not passages:
            return
        own = {one.id: np.asarray(vectors[one.id], np.float32) for one in passages}
        dimensions = self._ledger.check(model, own)
        notes = self._store.shelf.notes(one.note_id for one in passages)
        points = {
            one.id: _point(one, payload_of(one, notes[one.note_id]), own[one.id])
            for one in passages
            if one.note_id in notes
        }
        self._collections.upsert(model, dimensions, list(points.values()))
        self._ledger.enter(model, points)
        self._follow(notes)

    def without_vector(self, model: str, count: int) -> Sequence[Passage]:
        """Whoever asks is about to write: a good moment for what was left to do."""
        self._behind.catch_up()
        waiting = self._ledger.writer.without_vector(self._ledger.entry(model), count)
        with self._changing:
            for passage in waiting:
                self._handed_out[model, passage.id] = point_of(passage)
        return waiting

    def drop_model(self, model: str) -> int:
        with suppress(NotThere):
            self._collections.drop(self._ledger.collection(model))
        return self._ledger.forget(model)

    def _as_handed_out(self, model: str, passage_ids: Iterable[str]) -> list[Passage]:
        """The passages that are there, and as they were when they were handed out."""
        with self._changing:
            expected = {one: self._handed_out.pop((model, one), None) for one in passage_ids}
        found = self._store.shelf.passages(expected)
        return [
            passage
            for one, passage in found.items()
            if expected[one] is None or expected[one] == point_of(passage)
        ]

    def _follow(self, written: Mapping[str, Note]) -> None:
        """A note that changed while its points were on their way is followed at once."""
        now = self._store.shelf.notes(written)
        moved = [
            one
            for one, note in written.items()
            if one not in now or traits_in(now[one]) != traits_in(note)
        ]
        if moved:
            self._behind.bring_up(moved)


def _point(passage: Passage, payload: dict[str, object], vector: Vector) -> "PointStruct":
    from qdrant_client.models import PointStruct

    return PointStruct(id=point_of(passage), vector=vector.tolist(), payload=payload)
