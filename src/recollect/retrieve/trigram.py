"""How alike two words look: Jaccard over `$`-padded 3-grams, as seed 002 writes it. Pure."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

THRESHOLD: Final = 0.3  # seed 002, fixed
_NOT_ALPHANUMERIC: Final = re.compile(r"[\W_]+")


def slug_text(path: str) -> str:
    """The last part of a path, lowered, without `.md`, anything but letters and digits as spaces."""
    last = path.lower().rsplit("/", 1)[-1].removesuffix(".md")
    return _NOT_ALPHANUMERIC.sub(" ", last).strip()


@lru_cache(maxsize=10_000)
def grams(text: str) -> frozenset[str]:
    """The 3-grams of every word of a text, each word between two `$`."""
    padded = (f"${word}$" for word in _NOT_ALPHANUMERIC.sub(" ", text.lower()).split())
    return frozenset(word[at : at + 3] for word in padded for at in range(len(word) - 2))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    if not one or not other:
        return 0.0
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)


def resemblance(words: Iterable[str], path: str) -> float:
    """How much a path's slug looks like the most alike of these words."""
    slug = grams(slug_text(path))
    return max((jaccard(grams(word), slug) for word in words), default=0.0)
