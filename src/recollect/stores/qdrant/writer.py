"""Writing notes: the store first and last, Qdrant's points in between."""

from collections.abc import Iterable, Mapping

from recollect.model.note import Document
from recollect.ports import Store
from recollect.stores.qdrant.behind import Behind


class QdrantWriter:
    def __init__(self, store: Store, behind: Behind) -> None:
        self._store = store
        self._behind = behind

    def put(self, documents: Iterable[Document]) -> None:
        incoming = list(documents)
        known = self._store.shelf.facts(one.note.id for one in incoming)  # new notes have no points
        with self._behind.changing(known):
            self._store.writer.put(incoming)

    def remove(self, note_ids: Iterable[str]) -> int:
        doomed = list(dict.fromkeys(note_ids))
        with self._behind.changing(doomed):
            return self._store.writer.remove(doomed)

    def set_aliases(self, space: str, aliases: Mapping[str, tuple[str, ...]]) -> None:
        self._store.writer.set_aliases(space, aliases)
