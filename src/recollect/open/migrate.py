"""Two addresses in, everything of the one in the other out: copied, then compared."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from recollect.model.errors import BadInput, StoreError
from recollect.model.records import KINDS, Kind
from recollect.open.addresses import StoreAddress
from recollect.open.places import open_place
from recollect.ports import Place
from recollect.stores.transfer.comparing import Comparison, compare, lacking
from recollect.stores.transfer.copying import Journey

Progress = Callable[[Kind, int], None]


@dataclass(frozen=True, slots=True)
class Migrated:
    """How many records were brought after the first copy, and what differs now."""

    brought: int
    comparisons: tuple[Comparison, ...]
    into_existing: bool

    @property
    def is_whole(self) -> bool:
        return not any(
            one.missing or one.different or (one.extra and not self.into_existing)
            for one in self.comparisons
        )


def migrate(
    source: StoreAddress,
    target: StoreAddress,
    *,
    into_existing: bool = False,
    expected: Callable[[int], None] = lambda _: None,
    progress: Progress = lambda *_: None,
) -> Migrated:
    """Run again, it goes on where it was stopped; after that, it brings what has changed since."""
    if source.is_same_store(target):
        raise BadInput(
            "to",
            str(target),
            "is the store itself; its vectors move by recollect doctor --repair --vectors URL",
        )
    if source.is_missing():
        raise StoreError(f"there is no store at {source}")
    with _opened(source) as here, _opened(target) as there:
        journey = Journey(here.store, there.store, str(source))
        if there.store.catalogue.spaces() and not (into_existing or journey.begun()):
            raise BadInput(
                "to",
                str(target),
                "holds notes already; copy into an empty store, or add --into-existing",
            )
        again = journey.is_complete()
        journey.begin()
        expected(_size(here))
        journey.copy(progress)
        brought = _brought(journey, here, there) if again else 0
        there.publish()
        found = tuple(compare(here.store.archive, there.store.archive, kind) for kind in KINDS)
        return Migrated(brought, found, into_existing)


@contextmanager
def _opened(address: StoreAddress) -> Iterator[Place]:
    place = open_place(address)
    try:
        yield place
    finally:
        place.close()


def _size(place: Place) -> int:
    counts = place.store.catalogue.counts()
    return counts.notes + sum(model.embedded for model in counts.models)


def _brought(journey: Journey, here: Place, there: Place) -> int:
    return sum(
        journey.bring(lacking(here.store.archive, there.store.archive, kind)) for kind in KINDS
    )
