"""How much a word counts by where it stands; the same in every store."""

from collections.abc import Mapping
from typing import Final

FIELD_WEIGHTS: Final[Mapping[str, float]] = {"title": 3.0, "tag": 1.0, "path": 1.0, "text": 1.0}
"""Title above body: a note is more about its title than about any word it mentions. Measured with
`python -m bench.words` (docs/adr/0061)."""

BM25_K1: Final = 1.2  # the usual values (Robertson and Zaragoza 2009), and those of SQLite's FTS5;
# no other pair was shown to be better without being worse elsewhere (docs/adr/0061)
BM25_B: Final = 0.75
