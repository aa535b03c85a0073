"""What the store itself knows of the vectors that Qdrant keeps for it.

For every vector in Qdrant the store keeps one of a single number, under a model's name of its own. So
the store still says, in its own transactions, which passages wait, how many, and which notes were
accessed last among the embedded; and a passage that changes loses its entry with everything else.
"""

import secrets
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any, Final

import numpy as np

from recollect.model.errors import BadInput
from recollect.model.inventory import ModelCount
from recollect.model.records import OWN
from recollect.ports import Store, Vector, Vectors, VectorWriter

OWNER: Final = f"{OWN}qdrant"
"""The owner, in the store's settings, of its name in Qdrant and of each model's dimensions."""
BOOKS: Final = f"{OWN}qdrant/"
"""What the names of such models begin with."""
_STORE: Final = "store"
_DIMENSIONS: Final = "dimensions of "
_ENTRY: Final = np.ones(1, np.float32)


class Ledger:
    def __init__(self, store: Store, prefix: str) -> None:
        if store.vectors is None or store.vector_writer is None:
            raise BadInput("vectors", prefix, "need a store that keeps vectors itself as well")
        self.vectors: Vectors = store.vectors
        self.writer: VectorWriter = store.vector_writer
        self._store = store
        self._prefix = prefix
        self._name = ""

    @property
    def name(self) -> str:
        """The store's own name in Qdrant; empty until it has a vector there."""
        if not self._name:
            self._name = str(self._store.settings.settings(OWNER).get(_STORE, ""))
        return self._name

    def _draw_name(self) -> None:
        """By lot, once: two stores never share a collection. Another process may be quicker."""
        self._name = ""
        if not self.name:
            self._store.settings.change_settings(OWNER, {_STORE: secrets.token_hex(8)})

    def family(self) -> str:
        """What the names of all this store's collections begin with."""
        return f"{self._prefix}_{self.name}_"

    def collection(self, model: str) -> str:
        return f"{self.family()}{blake2b(model.encode(), digest_size=8).hexdigest()}"

    def entry(self, model: str) -> str:
        """The model's name in the store's own books."""
        return f"{self.heading()}{model}"

    def heading(self) -> str:
        return f"{BOOKS}{self._prefix}_{self.name}/"

    def models(self) -> tuple[ModelCount, ...]:
        """The models that have vectors in Qdrant, by the store's books."""
        sizes = self._sizes()
        heading = self.heading()
        return tuple(
            ModelCount(model, sizes.get(model, 0), one.embedded)
            for one in self._store.catalogue.models()
            if (model := one.identity.removeprefix(heading)) != one.identity
        )

    def known(self) -> list[str]:
        """Every model that ever had a vector here and was not dropped, whether it has one now or not."""
        return sorted({*self._sizes(), *(one.identity for one in self.models())})

    def embedded(self, model: str) -> int:
        return next((one.embedded for one in self.models() if one.identity == model), 0)

    def enter(self, model: str, passage_ids: Iterable[str]) -> None:
        self.writer.put_vectors(self.entry(model), dict.fromkeys(passage_ids, _ENTRY))

    def strike(self, model: str) -> int:
        """Forgets every entry of a model."""
        return self.writer.drop_model(self.entry(model))

    def forget(self, model: str) -> int:
        struck = self.strike(model)
        self._store.settings.change_settings(OWNER, {f"{_DIMENSIONS}{model}": None})
        return struck

    def check(self, model: str, vectors: Mapping[str, Vector]) -> int:
        """How many dimensions the model has; refuses vectors that cannot be of one model."""
        for vector in vectors.values():
            if vector.ndim != 1 or not np.isfinite(vector).all():
                raise BadInput("vector", vector, "is not a list of finite numbers; embed it again")
        self._draw_name()
        known = self._sizes().get(model)
        sizes = {len(vector) for vector in vectors.values()} | ({known} if known else set())
        if len(sizes) > 1:
            raise BadInput("vectors", sorted(sizes), f"are different dimensions for model {model}")
        (size,) = sizes
        if known is None:
            self._store.settings.change_settings(OWNER, {f"{_DIMENSIONS}{model}": size})
        return size

    def _sizes(self) -> dict[str, int]:
        kept: Mapping[str, Any] = self._store.settings.settings(OWNER)
        return {
            name.removeprefix(_DIMENSIONS): int(size)
            for name, size in kept.items()
            if name.startswith(_DIMENSIONS)
        }
