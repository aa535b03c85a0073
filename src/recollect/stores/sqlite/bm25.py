"""One segment's posting lists and a query's clauses in, its best passages out. Pure.

A clause adds `weight · tf / (tf + saturation(length))` to a passage, which is less than `weight`.
That bound prunes: once the clauses still to come cannot lift a passage into the best `depth`, they
are looked up for those passages only that can still get there, instead of being read as a whole.
Clauses are always added rarest first, so that a score is the same to the last bit on either way.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.stores.sqlite.segment import Array

Positions = NDArray[np.uint32]
Scores = NDArray[np.float32]

FREQUENT = 8  # a clause is worth pruning before, if it is in one of so many passages
NARROW = 128  # a scope that lets one of so many passages be seen is searched passage by passage
LOOKUP = 12  # looking up one passage in a list costs as much as reading so many postings
CROWD = 8  # passages looked up for each one wanted, from which to sort some out between clauses
_STRIPES = 64
_SLACK = 1.00001  # more than the rounding of a sum of single-precision numbers


class Clause(NamedTuple):
    """A term's share of a segment: its postings from `start` to `end`, and its greatest share."""

    start: int
    end: int
    weight: np.float32

    @property
    def size(self) -> int:
        return self.end - self.start


class Lists(NamedTuple):
    """A segment's posting lists; BM25's `k1·((1−b) + b·length/mean)` as base and slope."""

    positions: Positions
    counts: Array
    lengths: NDArray[np.float32]
    base: np.float32
    slope: np.float32

    def shares(self, clause: Clause, which: Array | slice, positions: Array) -> Scores:
        """What a clause adds to the passages of some of its postings."""
        counts = self.counts[clause.start : clause.end][which].astype(np.float32)
        share: Scores = self.lengths.take(positions)
        share *= self.slope
        share += self.base
        share += counts
        np.divide(counts, share, out=share)
        share *= clause.weight
        return share


def best(
    lists: Lists,
    clauses: Sequence[Clause],
    depth: int,
    visible: NDArray[np.bool_] | None,
    floor: np.float32,
) -> tuple[Positions, Scores]:
    """Every visible passage that can be among the best `depth` and reaches `floor`, in no order."""
    if visible is not None and np.count_nonzero(visible) * NARROW <= len(visible):
        seen = np.flatnonzero(visible).astype(np.uint32)
        return _look_up(lists, clauses, seen, np.zeros(len(seen), np.float32), depth, floor)
    scores = np.zeros(len(lists.lengths), np.float32)
    for done, clause in enumerate(clauses):
        rest = clauses[done:]
        if clause.size * FREQUENT > len(scores) and _sum(rest) < max(
            float(floor), _sum(clauses[:done])
        ):
            likely = _likely(scores, rest, depth, visible, floor)
            if likely is not None:
                return _look_up(lists, rest, likely, scores[likely], depth, floor)
        positions = lists.positions[clause.start : clause.end].astype(np.intp)
        np.add.at(scores, positions, lists.shares(clause, slice(None), positions))
    if visible is not None:
        scores *= visible
    return _reaching(scores, depth, floor)


def _likely(
    scores: Scores,
    rest: Sequence[Clause],
    depth: int,
    visible: NDArray[np.bool_] | None,
    floor: np.float32,
) -> Positions | None:
    """The passages the rest can still lift high enough; None if reading the rest is cheaper."""
    if visible is not None:
        scores *= visible
    least = _reachable(_at_least(scores, depth, floor), rest)
    if least <= 0:
        return None
    likely = np.flatnonzero(scores >= least)
    cheaper = len(likely) * LOOKUP * len(rest) < sum(clause.size for clause in rest)
    return likely.astype(np.uint32) if cheaper else None


def _look_up(
    lists: Lists,
    clauses: Sequence[Clause],
    positions: Positions,
    scores: Scores,
    depth: int,
    floor: np.float32,
) -> tuple[Positions, Scores]:
    for done, clause in enumerate(clauses):
        postings = lists.positions[clause.start : clause.end]
        target, which = meeting(positions, postings)
        scores[target] += lists.shares(clause, which, positions[target])
        if len(scores) > CROWD * depth:
            kept = scores >= _reachable(_at_least(scores, depth, floor), clauses[done + 1 :])
            positions, scores = positions[kept], scores[kept]
    found = scores > 0
    return positions[found], scores[found]


def meeting(left: Positions, right: Positions) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where the common elements of two ascending arrays stand in each; the shorter is looked up."""
    if len(left) > len(right):
        there, here = meeting(right, left)
        return here, there
    at = np.searchsorted(right, left)
    at[at == len(right)] = 0
    here = np.flatnonzero(right[at] == left) if len(right) else at[:0]
    return here, at[here]


def _reachable(least: np.float32, rest: Sequence[Clause]) -> np.float32:
    """The score a passage needs now, if with all of the rest it is to reach `least`."""
    return np.float32(float(least) / _SLACK - _sum(rest) * _SLACK)


def _sum(clauses: Sequence[Clause]) -> float:
    return sum(float(clause.weight) for clause in clauses)


def _reaching(scores: Scores, depth: int, floor: np.float32) -> tuple[Positions, Scores]:
    found = np.flatnonzero(scores >= _at_least(scores, depth, floor))
    found = found[scores[found] > 0]
    return found.astype(np.uint32), scores[found]


def _at_least(scores: Scores, depth: int, floor: np.float32) -> np.float32:
    """A score that at least `depth` passages reach, or `floor` where that is higher.

    The scores are laid out in stripes, one on top of the other: `depth` columns with such a maximum
    hold at least `depth` such scores. It is nearly the best such score, and much cheaper to find.
    """
    if depth > len(scores):
        return floor
    columns = len(scores) // _STRIPES
    if columns >= 4 * depth:
        scores = scores[: columns * _STRIPES].reshape(_STRIPES, columns).max(axis=0)
    cut = len(scores) - depth
    return max(floor, np.partition(scores, cut)[cut])
