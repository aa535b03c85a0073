"""How much there is: rows as the store counts them, vectors as its books of Qdrant say."""

from dataclasses import replace

from recollect.model.inventory import Counts, ModelCount, SpaceCount
from recollect.ports import Catalogue
from recollect.stores.qdrant.ledger import Ledger


class QdrantCatalogue:
    def __init__(self, catalogue: Catalogue, ledger: Ledger) -> None:
        self._catalogue = catalogue
        self._ledger = ledger

    def spaces(self) -> tuple[str, ...]:
        return self._catalogue.spaces()

    def by_space(self) -> tuple[SpaceCount, ...]:
        return self._catalogue.by_space()

    def models(self) -> tuple[ModelCount, ...]:
        return self._ledger.models()

    def counts(self) -> Counts:
        return replace(self._catalogue.counts(), models=self._ledger.models())
