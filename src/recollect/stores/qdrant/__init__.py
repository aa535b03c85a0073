"""Qdrant as the dense leg of another store: rows, words and links stay there, vectors live here."""

from importlib.util import find_spec
from types import TracebackType
from typing import Final

from recollect.model.errors import StoreError
from recollect.ports import Place, Store
from recollect.stores.qdrant.archive import QdrantArchive
from recollect.stores.qdrant.behind import Behind
from recollect.stores.qdrant.catalogue import QdrantCatalogue
from recollect.stores.qdrant.collections import Collections
from recollect.stores.qdrant.ledger import Ledger
from recollect.stores.qdrant.line import REST_SECONDS, Line
from recollect.stores.qdrant.upkeep import QdrantUpkeep
from recollect.stores.qdrant.vector_writer import QdrantVectorWriter
from recollect.stores.qdrant.vectors import QdrantVectors
from recollect.stores.qdrant.writer import QdrantWriter
from recollect.stores.qdrant_address import QdrantAddress

WAY_IN: Final = "pip install 'recollect[qdrant]'"


class QdrantPlace:
    """Another store, open, with its vectors in Qdrant."""

    def __init__(self, base: Place, line: Line) -> None:
        self._base = base
        self._line = line
        collections = Collections(line, Ledger(base.store, line.address.prefix))
        behind = Behind(base.store, collections)
        vector_writer = QdrantVectorWriter(base.store, collections, behind)
        self.store: Store = base.store._replace(
            vectors=QdrantVectors(base.store, collections, behind),
            vector_writer=vector_writer,
            writer=QdrantWriter(base.store, behind),
            catalogue=QdrantCatalogue(base.store.catalogue, collections.ledger),
            archive=QdrantArchive(base.store, collections, behind, vector_writer),
        )
        self.upkeep = QdrantUpkeep(base, collections, behind, vector_writer)

    @property
    def address(self) -> str:
        return f"{self._base.address} with vectors in {self._line.address.shown}"

    @property
    def beside(self) -> str:
        return self._base.beside

    def publish(self) -> None:
        self._base.publish()

    def close(self) -> None:
        self._line.close()
        self._base.close()

    def __enter__(self) -> "QdrantPlace":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def with_qdrant(
    base: Place, address: QdrantAddress | str, *, rest_seconds: float = REST_SECONDS
) -> QdrantPlace:
    """Asks nothing of Qdrant yet: a store opens whether it can be reached or not."""
    if find_spec("qdrant_client") is None:
        raise StoreError(f"vectors in Qdrant need its client: {WAY_IN}")
    named = QdrantAddress(address) if isinstance(address, str) else address
    return QdrantPlace(base, Line(named, rest_seconds))
