"""Models in, Qdrant's collections out: made when first needed, and checked to be the model's own."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from recollect.model.errors import StoreError
from recollect.stores.qdrant.ledger import Ledger
from recollect.stores.qdrant.line import Line, NotThere
from recollect.stores.qdrant.points import KEYWORDS, NUMBERS

if TYPE_CHECKING:
    from qdrant_client import QdrantClient
    from qdrant_client.models import Filter, PointStruct, Record, UpdateOperation

AT_ONCE: Final = 256
"""Points in one request: a quarter of a megabyte of small vectors, two of large ones."""


class Collections:
    def __init__(self, line: Line, ledger: Ledger) -> None:
        self.line = line
        self.ledger = ledger
        self._checked: set[str] = set()
        self._making = threading.Lock()

    def ensure(self, model: str, dimensions: int) -> str:
        name = self.ledger.collection(model)
        with self._making:
            if name not in self._checked:
                self._make(name, model, dimensions)
                self._checked.add(name)
        return name

    def forget(self, name: str) -> None:
        """Looked for again before the next write: somebody may have taken it away."""
        self._checked.discard(name)

    def upsert(self, model: str, dimensions: int, points: "Sequence[PointStruct]") -> None:
        """The same point twice is one point. A collection that was taken away is made again."""
        for at in range(0, len(points), AT_ONCE):
            some = list(points[at : at + AT_ONCE])
            try:
                self._upsert(model, dimensions, some)
            except NotThere:
                self.forget(self.ledger.collection(model))
                self._upsert(model, dimensions, some)

    def change(self, model: str, operations: "Sequence[UpdateOperation]") -> None:
        if operations:
            name = self.ledger.collection(model)
            self.line.call(lambda qdrant: qdrant.batch_update_points(name, operations, wait=True))

    def each(self, model: str, wanted: "Filter | None" = None) -> "Iterator[list[Record]]":
        """Every point of a model, or those of a filter, some at a time."""
        name = self.ledger.collection(model)

        def scroll(qdrant: "QdrantClient", after: Any) -> "tuple[list[Record], Any]":
            return qdrant.scroll(name, wanted, limit=AT_ONCE, offset=after)

        after = None
        while True:
            found, after = self.line.call(partial(scroll, after=after))
            if found:
                yield found
            if after is None:
                return

    def count(self, model: str) -> int:
        name = self.ledger.collection(model)
        return self.line.call(lambda qdrant: qdrant.count(name, exact=True)).count

    def drop(self, name: str) -> None:
        self.line.call(lambda qdrant: qdrant.delete_collection(name))
        self.forget(name)

    def names(self) -> list[str]:
        """All of this store's, whether its books know their model or not."""
        family = self.ledger.family()
        found = self.line.call(lambda qdrant: qdrant.get_collections()).collections
        return sorted(one.name for one in found if one.name.startswith(family))

    def _upsert(self, model: str, dimensions: int, points: "list[PointStruct]") -> None:
        name = self.ensure(model, dimensions)
        self.line.call(lambda qdrant: qdrant.upsert(name, points, wait=True))

    def _make(self, name: str, model: str, dimensions: int) -> None:
        if not self.line.call(lambda qdrant: qdrant.collection_exists(name)):
            self.line.call(lambda qdrant: self._create(qdrant, name, model, dimensions))
            if self.line.address.remote:  # local mode filters without any
                self.line.call(lambda qdrant: _index_payload(qdrant, name))
        config = self.line.call(lambda qdrant: qdrant.get_collection(name)).config
        _check_model(name, model, config.metadata or {})

    def _create(self, qdrant: "QdrantClient", name: str, model: str, dimensions: int) -> None:
        from qdrant_client.models import Distance, VectorParams

        try:
            qdrant.create_collection(
                name,
                vectors_config=VectorParams(size=dimensions, distance=Distance.COSINE),
                metadata={"model": model, "store": self.ledger.name},
                shard_number=self.line.address.shards,
                replication_factor=self.line.address.replicas,
            )
        except Exception:
            if not qdrant.collection_exists(name):  # else another process was quicker
                raise


def _index_payload(qdrant: "QdrantClient", name: str) -> None:
    """A space's points lie together on the disk: a query mostly names one."""
    from qdrant_client.models import KeywordIndexParams, KeywordIndexType, PayloadSchemaType

    for field in KEYWORDS:
        params = KeywordIndexParams(type=KeywordIndexType.KEYWORD, is_tenant=field == "space")
        qdrant.create_payload_index(name, field, field_schema=params, wait=True)
    for field in NUMBERS:
        qdrant.create_payload_index(name, field, PayloadSchemaType.INTEGER, wait=True)


def _check_model(name: str, model: str, metadata: Mapping[str, Any]) -> None:
    """A server too old for metadata says nothing; the collection's name is the model's digest then."""
    said = metadata.get("model", model)
    if said != model:
        raise StoreError(f"Qdrant's collection {name} is of the model {said}, not of {model}")
