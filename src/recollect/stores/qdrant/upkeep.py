"""Looking after a store and its vectors in Qdrant: what one has and the other has not, and mending it."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from recollect.model.errors import StoreError
from recollect.model.inventory import Finding, ModelCount
from recollect.model.records import OWN, KeptVector, Key
from recollect.ports import Place, Vector
from recollect.stores.qdrant.behind import Behind
from recollect.stores.qdrant.collections import AT_ONCE, Collections
from recollect.stores.qdrant.line import NotThere
from recollect.stores.qdrant.points import is_current, point_of
from recollect.stores.qdrant.vector_writer import QdrantVectorWriter

REPAIR: Final = "recollect doctor --repair mends it"
EMBED: Final = "recollect doctor --repair, then recollect index embeds what waits"


class QdrantUpkeep:
    def __init__(
        self,
        base: Place,
        collections: Collections,
        behind: Behind,
        vector_writer: QdrantVectorWriter,
    ) -> None:
        self._base = base
        self._collections = collections
        self._ledger = collections.ledger
        self._behind = behind
        self._vector_writer = vector_writer

    def examine(self, *, thorough: bool = False) -> Sequence[Finding]:
        return [*self._base.upkeep.examine(thorough=thorough), *self._points(thorough=thorough)]

    def repair(self) -> None:
        """The books are written again from what is really in Qdrant; the rest waits to be embedded."""
        self._base.upkeep.repair()
        for name in self._strays():
            self._collections.drop(name)
        for model in self._ledger.known():
            self._rewrite(model)
        self._behind.catch_up(everything=True)
        self._adopt()

    def backup(self, target: str) -> str:
        """Of the store: vectors are derived, and are embedded anew where they are missing."""
        return self._base.upkeep.backup(target)

    def _points(self, *, thorough: bool) -> Iterator[Finding]:
        address = self._collections.line.address
        try:
            strays = self._strays()
            yield Finding("ok", f"Qdrant at {address.shown} answers")
            if strays:
                yield Finding(
                    "warn", f"Qdrant holds {len(strays)} collections of old models", REPAIR
                )
            for model in self._ledger.models():
                yield from self._model(model, thorough=thorough)
        except StoreError as error:
            yield Finding("error", str(error), "start it, or correct [vectors] in the config file")
        if address.api_key and address.url.startswith("http://"):
            yield Finding("warn", "the API key is sent unencrypted", "use an https:// address")
        if late := len(self._behind.notes()):
            yield Finding("warn", f"the points of {late} notes are behind the store", REPAIR)
        if own := sum(one.embedded for one in self._own_models()):
            what = f"{own} vectors in the store itself are not searched while Qdrant serves"
            yield Finding("warn", what, "recollect doctor --repair copies those that Qdrant lacks")

    def _model(self, model: ModelCount, *, thorough: bool) -> Iterator[Finding]:
        try:
            held = self._collections.count(model.identity)
        except NotThere:
            gone = f"Qdrant lost all {model.embedded} vectors of {model.identity}"
            yield Finding("error", gone, EMBED)
            return
        real, orphaned, wrong = self._compared(model.identity) if thorough else (held, 0, 0)
        if real < model.embedded:
            missing = model.embedded - real
            yield Finding("error", f"Qdrant lacks {missing} vectors of {model.identity}", EMBED)
        if orphaned or held > model.embedded:
            many = orphaned or held - model.embedded
            yield Finding("warn", f"{many} points of {model.identity} stand for no passage", REPAIR)
        if wrong:
            yield Finding("error", f"{wrong} points of {model.identity} say a wrong scope", REPAIR)
        if held == model.embedded and not (orphaned or wrong):
            yield Finding("ok", f"Qdrant holds the {held} vectors of {model.identity}")

    def _compared(self, model: str) -> tuple[int, int, int]:
        """How many points are real, how many orphaned, how many say what the store does not."""
        shelf = self._base.store.shelf
        real = orphaned = wrong = 0
        for found in self._collections.each(model):
            passages = shelf.passages(str((one.payload or {}).get("passage")) for one in found)
            notes = shelf.notes(passage.note_id for passage in passages.values())
            owners = {point_of(one): notes.get(one.note_id) for one in passages.values()}
            for one in found:
                note = owners.get(str(one.id))
                real += note is not None
                orphaned += note is None
                wrong += note is not None and not is_current(one.payload or {}, note)
        return real, orphaned, wrong

    def _rewrite(self, model: str) -> None:
        self._ledger.strike(model)
        try:
            for found in self._collections.each(model):
                self._ledger.enter(model, self._behind.put_right(model, found))
        except NotThere:
            self._collections.forget(self._ledger.collection(model))

    def _strays(self) -> list[str]:
        known = {self._ledger.collection(model) for model in self._ledger.known()}
        return [name for name in self._collections.names() if name not in known]

    def _own_models(self) -> list[ModelCount]:
        every = self._base.store.catalogue.models()
        return [one for one in every if not one.identity.startswith(OWN)]

    def _adopt(self) -> None:
        """Vectors that the store keeps itself, from before Qdrant: copied, not embedded again."""
        for model in self._own_models():
            after: Key | None = (model.identity, "")
            while after is not None and after[0] == model.identity:
                page = self._base.store.archive.records_after("vector", after, AT_ONCE)
                after = page.reached
                self._copy([one for one in page.records if isinstance(one, KeptVector)])

    def _copy(self, kept: Sequence[KeptVector]) -> None:
        by_model: dict[str, dict[str, Vector]] = {}
        for one in kept:
            vector = np.frombuffer(one.float32, "<f4")
            by_model.setdefault(one.model, {})[one.passage_id] = vector
        for model, own in by_model.items():
            if not model.startswith(OWN):
                self._vector_writer.put_vectors(model, own)
