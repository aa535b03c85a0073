"""Everything a person put in: rows from the store, vectors from Qdrant where the store has an entry."""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final

import numpy as np

from recollect.model.errors import VectorsAway
from recollect.model.records import KeptNote, KeptVector, Key, Kind, Page, Record
from recollect.ports import Store, Vector
from recollect.stores.qdrant.behind import Behind
from recollect.stores.qdrant.collections import AT_ONCE, Collections
from recollect.stores.qdrant.points import point_of
from recollect.stores.qdrant.vector_writer import QdrantVectorWriter

_SPOOLED: Final = "<u4"


class QdrantArchive:
    def __init__(
        self,
        store: Store,
        collections: Collections,
        behind: Behind,
        vector_writer: QdrantVectorWriter,
    ) -> None:
        self._store = store
        self._collections = collections
        self._ledger = collections.ledger
        self._behind = behind
        self._vector_writer = vector_writer

    def records(self, *, vectors: bool = True) -> Iterator[Record]:
        """Rows are of one moment; a vector whose passage has changed since is left out."""
        entries: list[KeptVector] = []
        for record in self._store.archive.records(vectors=vectors):
            if not isinstance(record, KeptVector):
                yield record
            elif record.model.startswith(self._ledger.heading()):
                entries.append(record)
                if len(entries) == AT_ONCE:
                    yield from self._vectors(entries)
                    entries = []
        yield from self._vectors(entries)

    def records_after(self, kind: Kind, after: Key | None, count: int) -> Page:
        if kind != "vector":
            return self._store.archive.records_after(kind, after, count)
        heading = self._ledger.heading()
        first = (heading, "") if after is None else (f"{heading}{after[0]}", after[1])
        page = self._store.archive.records_after(kind, first, count)
        own = [
            one
            for one in page.records
            if isinstance(one, KeptVector) and one.model.startswith(heading)
        ]
        reached = page.reached if len(own) == len(page.records) else None
        model_and_passage = reached and (reached[0].removeprefix(heading), reached[1])
        return Page(self._vectors(own), model_and_passage)

    def take(self, records: Iterable[Record]) -> None:
        """Rows in one transaction of the store; the vectors follow when their passages are there,
        and where they do not arrive, their passages wait to be embedded."""
        has_points = bool(self._ledger.models())  # asked before: within, only reading is possible
        with _Spool() as spool:
            self._store.archive.take(self._rows(records, spool, has_points=has_points))
            with suppress(VectorsAway):  # the entry stays, and says what is left to do
                self._behind.catch_up(everything=True)
            for model, vectors in spool.batches():
                self._vector_writer.put_vectors(model, vectors)

    def _rows(
        self, records: Iterable[Record], spool: "_Spool", *, has_points: bool
    ) -> Iterator[Record]:
        """All but the vectors; and last, in the same transaction, which notes' points are behind."""
        changed: list[str] = []
        incoming = iter(records)
        while some := list(islice(incoming, AT_ONCE)):
            ids = [one.document.note.id for one in some if isinstance(one, KeptNote)]
            changed += self._store.shelf.facts(ids)
            for one in some:
                if isinstance(one, KeptVector):
                    spool.add(one)
                else:
                    yield one
        if changed and has_points:
            yield self._behind.entry(changed)

    def _vectors(self, entries: Sequence[KeptVector]) -> list[KeptVector]:
        heading = self._ledger.heading()
        by_model: dict[str, list[str]] = {}
        for one in entries:
            by_model.setdefault(one.model.removeprefix(heading), []).append(one.passage_id)
        found = {model: self._stored(model, ids) for model, ids in by_model.items()}
        return [
            KeptVector(model, passage_id, found[model][passage_id].astype("<f4").tobytes())
            for model, ids in by_model.items()
            for passage_id in ids
            if passage_id in found[model]
        ]

    def _stored(self, model: str, passage_ids: Sequence[str]) -> dict[str, Vector]:
        points = {
            point_of(passage): passage.id
            for passage in self._store.shelf.passages(passage_ids).values()
        }
        name = self._ledger.collection(model)
        found = self._collections.line.call(
            lambda qdrant: qdrant.retrieve(
                name, list(points), with_payload=False, with_vectors=True
            )
        )
        return {points[str(one.id)]: np.asarray(one.vector, np.float32) for one in found}


class _Spool:
    """Vectors on their way, on the disk: there may be more of them than memory holds."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  closed by whoever made the spool

    def __enter__(self) -> "_Spool":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, vector: KeptVector) -> None:
        parts = (vector.model.encode(), vector.passage_id.encode(), vector.float32)
        self._file.write(np.array([len(part) for part in parts], _SPOOLED).tobytes())
        self._file.write(b"".join(parts))

    def batches(self) -> Iterator[tuple[str, dict[str, Vector]]]:
        self._file.seek(0)
        pending: dict[str, dict[str, Vector]] = {}
        while head := self._file.read(12):
            sizes = np.frombuffer(head, _SPOOLED).tolist()
            model, passage_id, float32 = (self._file.read(size) for size in sizes)
            own = pending.setdefault(model.decode(), {})
            own[passage_id.decode()] = np.frombuffer(float32, "<f4")
            if len(own) == AT_ONCE:
                yield model.decode(), pending.pop(model.decode())
        yield from pending.items()
