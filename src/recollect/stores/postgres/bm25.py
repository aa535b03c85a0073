"""BM25 over leaves of a query: how rare each is, what each can add at most, what a passage gets. Pure.

The formula is the reference store's, operation by operation. How rare a word is counts over all the
passages of the spaces that are asked, whatever else the scope says.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from recollect.stores.fields import BM25_B, BM25_K1
from recollect.stores.trees import Wanted

MOST_LEAVES: Final = 64
"""So many words of a query are scored, those that tell the most. A question has a dozen."""


class Told(NamedTuple):
    """A leaf, how often the query names it, and how much one place of it tells."""

    wanted: Wanted
    times: int
    rarity: float

    @property
    def most(self) -> float:
        """What no passage exceeds, however often it holds it."""
        return self.times * self.rarity * (BM25_K1 + 1)


class Collection(NamedTuple):
    """What is known of all passages of the spaces that are asked."""

    passages: int
    length: float

    @property
    def average(self) -> float:
        return self.length / self.passages if self.passages else 0.0

    def rarity(self, holding: int) -> float:
        return math.log(1 + (self.passages - holding + 0.5) / (holding + 0.5))

    def damping(self, length: float) -> float:
        if not self.average:
            return BM25_K1
        return BM25_K1 * (1 - BM25_B + BM25_B * length / self.average)


def most_telling(told: Sequence[Told]) -> list[Told]:
    """In the order of the query, without those that tell nothing."""
    kept = sorted(told, key=lambda one: -one.most)[:MOST_LEAVES]
    return [one for one in told if one in kept]


def score(told: Sequence[Told], frequencies: Sequence[float], damping: float) -> float:
    return math.fsum(
        one.rarity * often * (BM25_K1 + 1) / (often + damping)
        for one, often in zip(told, frequencies, strict=True)
        for _ in range(one.times)
    )
