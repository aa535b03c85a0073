"""Two stores in, what differs between them out, kind by kind, by content and not by count alone.

Both are walked side by side in the order of keys, a page at a time. Everything must be the same to the
last character; only vectors may differ a little, for some stores keep them rounded or at unit length.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

import numpy as np

from recollect.model.records import KeptVector, Key, Kind, Record, is_own, key_of
from recollect.ports import Archive, Vector
from recollect.stores.transfer.writing import line_of

PAGE: Final = 500
SHOWN: Final = 3  # differing keys that are named
ROUNDING: Final = 1e-3
"""How far a number of a vector of unit length may be off: half precision keeps eleven bits of it."""


@dataclass(slots=True)
class Side:
    """One store's records of a kind: how many, and a digest of them all."""

    count: int = 0
    _digest: "blake2b" = field(default_factory=lambda: blake2b(digest_size=8))

    def add(self, record: Record) -> None:
        """Of a vector only whose it is: its numbers are compared one by one."""
        self.count += 1
        told = str(key_of(record)) if isinstance(record, KeptVector) else line_of(record)
        self._digest.update(told.encode("utf-8", "surrogatepass"))

    @property
    def digest(self) -> str:
        return self._digest.hexdigest()


@dataclass(slots=True)
class Comparison:
    kind: Kind
    source: Side = field(default_factory=Side)
    target: Side = field(default_factory=Side)
    missing: int = 0
    different: int = 0
    extra: int = 0
    named: list[str] = field(default_factory=list)

    def note(self, key: Key) -> None:
        if len(self.named) < SHOWN:
            self.named.append(" ".join(key))


def compare(source: Archive, target: Archive, kind: Kind) -> Comparison:
    found = Comparison(kind)
    for here, there in _side_by_side(_walk(source, kind), _walk(target, kind)):
        if here is not None:
            found.source.add(here)
        if there is not None:
            found.target.add(there)
        if here is None or there is None or not _alike(here, there):
            found.missing += there is None
            found.extra += here is None
            found.different += here is not None and there is not None
            found.note(key_of(here if here is not None else there))  # type: ignore[arg-type]
    return found


def lacking(source: Archive, target: Archive, kind: Kind) -> Iterator[Record]:
    """The source's records that the target has not, or not so."""
    for here, there in _side_by_side(_walk(source, kind), _walk(target, kind)):
        if here is not None and (there is None or not _alike(here, there)):
            yield here


def _walk(archive: Archive, kind: Kind) -> Iterator[Record]:
    after: Key | None = None
    while True:
        page = archive.records_after(kind, after, PAGE)
        yield from (one for one in page.records if not is_own(one))
        if page.reached is None:
            return
        after = page.reached


def _side_by_side(
    ours: Iterator[Record], theirs: Iterator[Record]
) -> Iterator[tuple[Record | None, Record | None]]:
    """Pairs of one key; None where one side has no such record."""
    here, there = next(ours, None), next(theirs, None)
    while here is not None or there is not None:
        own = None if here is None else key_of(here)
        other = None if there is None else key_of(there)
        take_here = other is None or (own is not None and own <= other)
        take_there = own is None or (other is not None and other <= own)
        yield here if take_here else None, there if take_there else None
        here = next(ours, None) if take_here else here
        there = next(theirs, None) if take_there else there


def _alike(here: Record, there: Record) -> bool:
    if isinstance(here, KeptVector) and isinstance(there, KeptVector):
        own, other = _unit(here), _unit(there)
        return own.shape == other.shape and bool(np.allclose(own, other, rtol=0, atol=ROUNDING))
    return here == there


def _unit(kept: KeptVector) -> Vector:
    vector = np.frombuffer(kept.float32, "<f4")
    return (vector / (np.linalg.norm(vector) or 1)).astype(np.float32)
