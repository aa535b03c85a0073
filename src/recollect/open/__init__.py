"""The one room that names concrete stores and models: an address in, a library ready to ask out."""

from pathlib import Path

from recollect.encoders import choose
from recollect.model.errors import StoreError
from recollect.open.addresses import StoreAddress, store_address
from recollect.open.library import (
    CALIBRATIONS,
    DECISIONS,
    EVERY,
    NO_MODEL,
    Library,
    SystemClock,
)
from recollect.open.places import open_place
from recollect.ports import Embedder, Place
from recollect.stores.qdrant_address import QdrantAddress

__all__ = [
    "CALIBRATIONS",
    "DECISIONS",
    "EVERY",
    "NO_MODEL",
    "Library",
    "SystemClock",
    "open_library",
]


def open_library(
    place: str | Path | StoreAddress | None = None,
    *,
    vectors: str | QdrantAddress | None = None,
    model: str | None = "auto",
    judge: str | None = None,
    create: bool = True,
) -> Library:
    """`place` is a file or a postgres:// address, `vectors` an address of Qdrant or "none"; what is
    not given is what the environment or the config file says. `model=None` searches by words alone.
    Nothing is loaded before it is needed."""
    address = place if isinstance(place, StoreAddress) else store_address(place, vectors)
    if not create and address.is_missing():
        raise StoreError(f"there is no store at {address} yet; make one: recollect index FOLDER")
    wanted = None if model is None else choose.embedder(model)
    judging = None if judge is None else choose.judge(judge)
    opened = open_place(address, create=create)  # last: a wrong name leaves no empty store behind
    serving = _serving(opened, wanted) if wanted and model == "auto" else wanted
    return Library(opened, serving, judging, wanted, address.beside)


def _serving(opened: Place, wanted: Embedder) -> Embedder:
    """The wanted model, unless another one's vectors cover more: then that one serves until the
    wanted one's are there. So a better model takes over without search ever being without one."""
    covered = {one.identity: one.embedded for one in opened.store.catalogue.models()}
    best = max(covered, key=lambda identity: (covered[identity], identity), default="")
    if covered.get(best, 0) <= covered.get(wanted.identity, 0):
        return wanted
    return next((other for other in choose.installed() if other.identity == best), wanted)
