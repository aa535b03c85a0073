"""How much a word counts by where it stands; the same in every store."""

from collections.abc import Mapping
from typing import Final

FIELD_WEIGHTS: Final[Mapping[str, float]] = {"title": 2.0, "tag": 1.0, "path": 0.5, "text": 1.0}
"""Title above body: a note is more about its title than about any word it mentions."""

BM25_K1: Final = 1.2  # the usual values (Robertson and Zaragoza 2009), and those of SQLite's FTS5
BM25_B: Final = 0.75
