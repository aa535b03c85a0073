"""Texts in, the same vectors on every machine out: words hashed into a few dimensions. Pure.

It knows no meaning, only shared words, so it serves tests and machines that must not load a model.
"""

import re
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from recollect.encoders.vectors import unit_rows
from recollect.model.errors import BadInput

# Thai, kana, Han and Hangul: written without spaces, or (Hangul) with long inflected words
UNSPACED = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff"
TOKEN = re.compile(rf"[{UNSPACED}]|(?:(?![{UNSPACED}])\w)+")


class Hashing:
    """Bags of words, each word a signed step along one axis: equal bags of words are one vector."""

    may_wait = False
    weak = False

    def __init__(self, dimensions: int = 256) -> None:
        if dimensions < 1:
            raise BadInput("dimensions", dimensions, "must be at least 1")
        self.dimensions = dimensions
        self.identity = f"hashing-{dimensions}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            for token in TOKEN.findall(text.casefold()):
                axis, sign = self._step(token)
                vectors[row, axis] += sign
        return unit_rows(vectors)

    def _step(self, token: str) -> tuple[int, int]:
        digest = int.from_bytes(blake2b(token.encode(), digest_size=8).digest(), "big")
        return (digest >> 1) % self.dimensions, 1 if digest & 1 else -1
