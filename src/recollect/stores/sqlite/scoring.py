"""Rows and a query in, their BM25 scores out, in double precision.

The formula is the reference store's, operation by operation, so that the scores are the same to the
last bit. How rare a word is counts over the whole file, whatever the scope.
"""

import math
import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.model.tree import Node, Word
from recollect.retrieve.words import stem
from recollect.stores.fields import BM25_B, BM25_K1
from recollect.stores.sqlite import fts
from recollect.stores.sqlite.fts import Leaf
from recollect.stores.sqlite.head import Scores
from recollect.stores.sqlite.impact import ImpactIndex
from recollect.stores.sqlite.layers import Rows
from recollect.stores.sqlite.listing import GIVEN, listed_rows
from recollect.stores.sqlite.occurrences import occurrences
from recollect.stores.sqlite.terms import WordRow

Wanted = tuple[Leaf, str | None]


class _Counts(NamedTuple):
    """Of some leaves: how often each stands in each row, and in how many passages of the file."""

    counts: NDArray[np.float64]
    holding: Sequence[int]


def scored(connection: sqlite3.Connection, query: Node, index: ImpactIndex, rows: Rows) -> Scores:
    """The scores of these rows, which are ascending."""
    leaves = fts.leaves(query)
    words = [leaf for leaf in leaves if _is_bare_word(leaf)]
    others = [leaf for leaf in leaves if not _is_bare_word(leaf)]
    details = index.look_up([stem(leaf.text) for leaf, _ in words if isinstance(leaf, Word)], rows)
    read = _read(connection, others, rows)
    counts = np.concatenate((details.counts, read.counts))
    holding = [*details.holding.tolist(), *read.holding]
    rarity = [_rarity(details.passages, many) for many in holding]
    damping = BM25_K1 * (1 - BM25_B + BM25_B * details.lengths / details.mean)
    shares = np.array(rarity)[:, np.newaxis] * counts * (BM25_K1 + 1) / (counts + damping)
    return np.fromiter(map(math.fsum, shares.T.tolist()), np.float64, len(rows))


def _is_bare_word(wanted: Wanted) -> bool:
    leaf, field = wanted
    return isinstance(leaf, Word) and field is None


def _rarity(passages: int, holding: int) -> float:
    return math.log(1 + (passages - holding + 0.5) / (holding + 0.5))


def _read(connection: sqlite3.Connection, leaves: Sequence[Wanted], rows: Rows) -> _Counts:
    """What the index cannot know, phrases, prefixes and fields, is counted in the passages' words."""
    counts = np.zeros((len(leaves), len(rows)))
    if not leaves or not len(rows):
        return _Counts(counts, [0] * len(leaves))
    statement = f"SELECT rowid, * FROM passage_words WHERE rowid IN {GIVEN}"
    for row, *columns in connection.execute(statement, (listed_rows(rows),)):
        at, words = int(np.searchsorted(rows, row)), WordRow(*columns)
        counts[:, at] = [occurrences(leaf, words, field) for leaf, field in leaves]
    return _Counts(counts, [_holding(connection, leaf, field) for leaf, field in leaves])


def _holding(connection: sqlite3.Connection, leaf: Leaf, field: str | None) -> int:
    statement = "SELECT count(*) FROM passage_words WHERE passage_words MATCH ?"
    return int(connection.execute(statement, (fts.expression(leaf, field),)).fetchone()[0])
