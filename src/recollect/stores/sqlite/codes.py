"""Ranking passages by meaning: a memory-mapped matrix of unit vectors, and one bit a dimension.

In go vectors under the store's row numbers; out come the nearest rows by cosine. Few rows are all
compared. Of many, those are compared whose signs differ least from the query's (Hamming distance).
A passage's similarity is one number, to the last bit, however it was found. Touches files, in its
own directory only.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recollect.model.errors import BadInput
from recollect.stores.cosine import Similarities, cosines_of, unit_of
from recollect.stores.sqlite.layers import Allowed, Layers, Mask, Part, Rows, keyed
from recollect.stores.sqlite.segment import Columns

EXACT = 20_000  # rows up to which all are compared: about a millisecond
COMPARED = 4_000  # rows compared out of more: recall of the best 100 is .995 at 100,000 (ADR 0031)
COMPARED_PER_HIT = 20  # and no fewer than so many for each hit wanted
_WORD = 64
_ROUNDING = 1e-5  # more than single precision can be off in a cosine
_BLOCK = 1 << 16  # rows copied at once when parts are merged
_GATHERED = 256  # rows gathered at once to be compared: they stay in the cache

Vectors = NDArray[np.float32]


class CodeIndex:
    """The vectors one model gave all passages. Searches may run in any thread."""

    def __init__(self, directory: Path, dimensions: int, model: str):
        self.dimensions = dimensions
        self._layers = Layers(directory, f"{model}/{dimensions}", _merged)

    @classmethod
    def open(cls, directory: Path, dimensions: int, model: str) -> "CodeIndex":
        """`model` names the store and the embedder's identity: another one, another index."""
        return cls(directory, dimensions, model)

    @property
    def mark(self) -> int:
        """The store's change counter up to which this index is complete; 0 for an empty one."""
        return self._layers.mark

    @property
    def problem(self) -> str | None:
        """Why what was found on disk could not be used; None if it could, or nothing was there."""
        return self._layers.problem

    @property
    def disk(self) -> int:
        return self._layers.disk

    def __len__(self) -> int:
        return len(self._layers)

    def add(self, rows: Sequence[int], vectors: Vectors) -> None:
        """Add vectors, or put them in the place of those with the same row numbers."""
        if len(set(rows)) != len(rows):
            raise BadInput("rows", rows, "names a passage twice; add each once")
        if len(rows):
            unit = unit_of(vectors, self.dimensions)
            named = keyed(np.asarray(rows, np.int64))
            self._layers.add({**named, "vectors": [unit], "codes": [_codes(unit)]})

    def remove(self, rows: Sequence[int]) -> int:
        """Remove passages; how many of them were there."""
        return self._layers.remove(np.unique(np.asarray(rows, np.int64)))

    def advance(self, mark: int) -> None:
        """Say that every change of the store up to `mark` has been added or removed."""
        self._layers.advance(mark)

    def catching_up(self) -> AbstractContextManager[int]:
        """Take up what others have published, and hold still while changes after it are added.

        The mark it gives is where to start. Searches go on meanwhile, on what was there before.
        """
        return self._layers.catching_up()

    def publish(self) -> bool:
        """Write what was added for all processes to see. False: catch up from `mark`, try later."""
        return self._layers.publish()

    def reset(self) -> None:
        """Forget everything, to be built again."""
        self._layers.reset()

    def verify(self) -> list[str]:
        """What is wrong with the files, by reading all of them. Empty: nothing."""
        return self._layers.verify()

    def search(
        self, vector: Vectors, depth: int, allowed: Allowed = None
    ) -> tuple[Rows, Similarities]:
        """The `depth` nearest rows and their cosines; ties by row."""
        query = unit_of(vector[np.newaxis], self.dimensions)[0]
        parts = self._layers.latest()
        visible = [part.visible(allowed) for part in parts]
        seen = sum(map(_count, parts, visible))
        if seen > EXACT:
            compared = max(COMPARED, COMPARED_PER_HIT * depth)
            visible = _nearest_codes(parts, visible, _codes(query[np.newaxis]), compared)
        return _ranked(parts, visible, query, depth)

    def similarities(self, vector: Vectors, rows: Sequence[int]) -> tuple[Rows, Similarities]:
        """The cosines of these rows, ascending by row; a row without a vector is left out."""
        query = unit_of(vector[np.newaxis], self.dimensions)[0]
        wanted = np.unique(np.asarray(rows, np.int64))
        at = [(part, part.positions(wanted)) for part in self._layers.latest()]
        found = np.concatenate([wanted[:0], *(part.rows[here] for part, here in at)])
        cosines = [cosines_of(part.arrays["vectors"][here], query) for part, here in at]
        order = np.argsort(found)
        return found[order], np.concatenate([np.zeros(0), *cosines])[order]


def _codes(unit: Vectors) -> NDArray[np.uint64]:
    """One bit a dimension, 64 to a word; word by word, so that counting runs along memory."""
    signs = np.zeros((len(unit), unit.shape[1] + -unit.shape[1] % _WORD), bool)
    signs[:, : unit.shape[1]] = unit > 0
    return np.ascontiguousarray(np.packbits(signs, axis=1).view(np.uint64).T)


def _merged(parts: Sequence[Part]) -> Columns:
    rows = np.concatenate([part.rows[part.alive] for part in parts])
    codes = np.concatenate([part.arrays["codes"][:, part.alive] for part in parts], axis=1)
    return {**keyed(rows), "vectors": _blocks(parts), "codes": [codes]}


def _blocks(parts: Sequence[Part]) -> Iterator[Vectors]:
    for part in parts:
        for start in range(0, len(part), _BLOCK):
            block = slice(start, start + _BLOCK)
            yield part.arrays["vectors"][block][part.alive[block]]


def _count(part: Part, visible: Mask | None) -> int:
    return len(part) if visible is None else int(np.count_nonzero(visible))


def _nearest_codes(
    parts: Sequence[Part], visible: Sequence[Mask | None], query: NDArray[np.uint64], count: int
) -> list[Mask | None]:
    """Narrow what is visible to the `count` rows, or a few more, whose codes are nearest."""
    distances = [_distances(part.arrays["codes"], query) for part in parts]
    seen = [
        each if mask is None else each[mask] for each, mask in zip(distances, visible, strict=True)
    ]
    every = np.concatenate(seen)
    farthest = np.partition(every, count)[count] if count < len(every) else every.max()
    near = [each <= farthest for each in distances]
    return [each if mask is None else each & mask for each, mask in zip(near, visible, strict=True)]


def _distances(codes: NDArray[np.uint64], query: NDArray[np.uint64]) -> NDArray[np.uint16]:
    total = np.zeros(codes.shape[1], np.uint16)
    different, count = np.empty_like(codes[0]), np.empty(codes.shape[1], np.uint8)
    for word, wanted in zip(codes, query, strict=True):
        np.bitwise_xor(word, wanted, out=different)
        np.bitwise_count(different, out=count)
        total += count
    return total


def _ranked(
    parts: Sequence[Part], visible: Sequence[Mask | None], query: Vectors, depth: int
) -> tuple[Rows, Similarities]:
    """The best rows among those visible: roughly compared first, then the best of them exactly."""
    at = [None if mask is None else np.flatnonzero(mask) for mask in visible]
    rough = [_rough(part, here, query) for part, here in zip(parts, at, strict=True)]
    least = _least(rough, depth)
    rows, cosines = [np.zeros(0, np.int64)], [np.zeros(0)]
    for part, here, score in zip(parts, at, rough, strict=True):
        near = np.flatnonzero(score >= least)
        positions = near if here is None else here[near]
        rows.append(part.rows[positions])
        cosines.append(cosines_of(part.arrays["vectors"][positions], query))
    found, similar = np.concatenate(rows), np.concatenate(cosines)
    order = np.lexsort((found, -similar))[:depth]
    return found[order], similar[order]


def _rough(part: Part, positions: NDArray[np.intp] | None, query: Vectors) -> Vectors:
    vectors: Vectors = part.arrays["vectors"]
    if positions is None:
        whole: Vectors = vectors @ query
        return whole
    rough = np.empty(len(positions), np.float32)
    for start in range(0, len(positions), _GATHERED):
        block = slice(start, start + _GATHERED)
        np.dot(vectors[positions[block]], query, out=rough[block])
    return rough


def _least(rough: Sequence[Vectors], depth: int) -> float:
    """What the best `depth` rows reach for certain, rounding allowed for."""
    every = np.concatenate([np.zeros(0, np.float32), *rough])
    if depth >= len(every):
        return -np.inf
    return float(np.partition(every, len(every) - depth)[len(every) - depth]) - _ROUNDING
