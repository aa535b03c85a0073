"""What a system must do to be measured, and what is the same for all: depth, words and fusion."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

DEPTH = 100  # candidates of each leg
K = 60

Matrix = NDArray[np.float32]
_WORD = re.compile(r"\w+")


class Batch(NamedTuple):
    """Passages to load: their numbers, texts and vectors."""

    first: int
    texts: Sequence[str]
    vectors: Matrix

    @property
    def numbers(self) -> range:
        return range(self.first, self.first + len(self.texts))


class Peer(Protocol):
    """One system, with its files in a directory of its own. It is opened, and loads or answers."""

    def load(self, batches: Iterable[Batch]) -> None:
        """Everything is on disk and ready to be asked when this returns."""
        ...

    def best(self, text: str, vector: Matrix) -> Sequence[int]:
        """Passage numbers by words and meaning, fused, best first."""
        ...


def words(text: str) -> list[str]:
    """One plain notion of a word, so that systems differ in speed and not in taste."""
    return _WORD.findall(text.lower())


def fused(*lists: Iterable[int]) -> list[int]:
    """Reciprocal rank fusion; ties by number."""
    scores: dict[int, float] = {}
    for ranked in lists:
        for rank, number in enumerate(ranked, 1):
            scores[number] = scores.get(number, 0.0) + 1 / (K + rank)
    return sorted(scores, key=lambda number: (-scores[number], number))
