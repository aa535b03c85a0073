"""MaxSim: a query and texts in, one score a text out, by comparing token with token."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

LEAST = -1.0  # the lowest cosine there is: what a text without words gets


class TokenEmbedder(Protocol):
    @property
    def identity(self) -> str: ...
    def token_vectors(self, texts: Sequence[str]) -> list[NDArray[np.float32]]: ...


class LateInteraction:
    """Each word of the query is matched with the word of the text nearest to it; their mean counts.

    It needs no weights but those of the model that embeds.
    """

    may_wait = False

    def __init__(self, embedder: TokenEmbedder) -> None:
        self._embedder = embedder
        self.identity = f"maxsim-{embedder.identity}"

    def judge(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        asked, *found = self._embedder.token_vectors([query, *texts])
        return [_maxsim(asked, words) for words in found]


def _maxsim(asked: NDArray[np.float32], words: NDArray[np.float32]) -> float:
    if not len(asked) or not len(words):
        return LEAST
    return float((asked @ words.T).max(axis=1).mean())
