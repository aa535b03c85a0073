"""Counted terms in, posting lists out; and several posting lists merged into one. Pure.

A term is known by 64 bits of its hash. Two of a million distinct terms share a key with a
probability of 3e-8; what happens then is that they count as one term.

The columns of a segment: `rows` and `lengths` per passage; `keys`, ascending, and `starts` per
term; `positions`, ascending within a term, and `counts` per posting.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from recollect.model.errors import BadInput
from recollect.stores.sqlite.layers import Part, Rows, keyed
from recollect.stores.sqlite.segment import Array, Columns

Keys = NDArray[np.uint64]
_KEY_BYTES = 8
_POSITION_BITS = np.uint64(32)


def keys_of(terms: Iterable[str]) -> Keys:
    digests = (blake2b(term.encode(), digest_size=_KEY_BYTES).digest() for term in terms)
    return np.frombuffer(b"".join(digests), "<u8")


class _Numbers(dict[str, int]):
    """Numbers terms in the order they are first asked for."""

    def __missing__(self, term: str) -> int:
        return self.setdefault(term, len(self))


class Batch:
    """Passages waiting to become a segment."""

    def __init__(self) -> None:
        self._numbers = _Numbers()
        self._terms: list[NDArray[np.int64]] = []
        self._counts: list[NDArray[np.float32]] = []
        self._sizes: list[NDArray[np.int64]] = []
        self._lengths: list[NDArray[np.float32]] = []
        self.rows: dict[int, None] = {}
        self.postings = 0

    def add(
        self, rows: Sequence[int], terms: Sequence[Mapping[str, float]], lengths: Sequence[float]
    ) -> None:
        if not len(rows) == len(terms) == len(lengths):
            many = (len(rows), len(terms), len(lengths))
            raise BadInput("rows, terms, lengths", many, "must be equally many")
        values = chain.from_iterable(counted.values() for counted in terms)
        counts = _positive("term count", np.fromiter(values, np.float32))
        measured = _no_less("passage length", np.asarray(lengths, np.float32))
        numbers = map(self._numbers.__getitem__, chain.from_iterable(terms))
        self._terms.append(np.fromiter(numbers, np.int64))
        self._counts.append(counts)
        self._sizes.append(np.fromiter(map(len, terms), np.int64, len(terms)))
        self._lengths.append(measured)
        self.rows.update(dict.fromkeys(rows))
        self.postings += len(self._terms[-1])

    def columns(self) -> Columns:
        sizes = np.concatenate(self._sizes)
        passages = np.repeat(np.arange(len(sizes), dtype=np.uint64), sizes)
        keys, ranks = np.unique(keys_of(self._numbers), return_inverse=True)
        terms = ranks.astype(np.uint64)[np.concatenate(self._terms)]
        order = np.argsort((terms << _POSITION_BITS) | passages)
        per_term = np.bincount(terms.astype(np.intp), minlength=len(keys))
        return {
            **keyed(np.fromiter(self.rows, np.int64, len(self.rows))),
            "lengths": [np.concatenate(self._lengths)],
            "keys": [keys],
            "starts": [_starts(per_term)],
            "positions": [passages[order].astype(np.uint32)],
            "counts": [_narrow(np.concatenate(self._counts)[order])],
        }


def merged(parts: Sequence[Part]) -> Columns:
    """The live passages of all parts, one part after the other; no posting is sorted again."""
    lists = [_Live(part) for part in parts]
    keys = np.unique(np.concatenate([live.keys for live in lists]))
    places = [np.searchsorted(keys, live.keys) for live in lists]
    per_term = np.zeros(len(keys), np.int64)
    for live, place in zip(lists, places, strict=True):
        per_term[place] += live.sizes
    free = _starts(per_term)[:-1].copy()
    total = int(per_term.sum())
    positions, counts = np.empty(total, np.uint32), np.empty(total, np.float32)
    offset = 0
    for live, place in zip(lists, places, strict=True):
        target = np.repeat(free[place] - live.starts, live.sizes) + np.arange(len(live.positions))
        positions[target] = live.positions + np.uint32(offset)
        counts[target] = live.counts
        free[place] += live.sizes
        offset += len(live.rows)
    used = per_term > 0
    return {
        **keyed(np.concatenate([live.rows for live in lists])),
        "lengths": [np.concatenate([live.lengths for live in lists])],
        "keys": [keys[used]],
        "starts": [_starts(per_term[used])],
        "positions": [positions],
        "counts": [_narrow(counts)],
    }


class _Live:
    """The postings of one part without those of its dead passages, passages numbered anew."""

    def __init__(self, part: Part):
        arrays = part.arrays
        self.keys: Keys = arrays["keys"]
        self.rows: Rows = part.rows
        self.lengths: Array = arrays["lengths"]
        self.positions: Array = arrays["positions"]
        self.counts: Array = arrays["counts"]
        bounds: Array = arrays["starts"]
        if part.dead is not None:
            kept = part.alive[self.positions]
            renumbered = (np.cumsum(part.alive) - 1).astype(np.uint32)
            bounds = _starts(kept)[bounds]
            self.positions = renumbered[self.positions[kept]]
            self.counts = self.counts[kept]
            self.rows, self.lengths = self.rows[part.alive], self.lengths[part.alive]
        self.starts, self.sizes = bounds[:-1], np.diff(bounds)


def _starts(sizes: Array) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))


def _narrow(counts: NDArray[np.float32]) -> Array:
    """One or two bytes a count where that loses nothing, as with whole field weights."""
    if len(counts) and np.array_equal(counts, np.rint(counts)):
        if counts.max() <= np.iinfo(np.uint8).max:
            return counts.astype(np.uint8)
        if counts.max() <= np.iinfo(np.uint16).max:
            return counts.astype(np.uint16)
    return counts


def _positive(field: str, values: NDArray[np.float32]) -> NDArray[np.float32]:
    sound = np.isfinite(values) & (values > 0)
    if not sound.all():
        raise BadInput(field, float(values[~sound][0]), "is not a finite number above 0")
    return values


def _no_less(field: str, values: NDArray[np.float32]) -> NDArray[np.float32]:
    sound = np.isfinite(values) & (values >= 0)
    if not sound.all():
        raise BadInput(field, float(values[~sound][0]), "is not a finite number of at least 0")
    return values
