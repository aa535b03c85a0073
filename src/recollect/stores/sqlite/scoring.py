"""Rows and a query in, their BM25 scores out, in double precision.

The formula is the reference store's, operation by operation, so that the scores are the same to the
last bit. How rare a word is counts over the whole file, whatever the scope.
"""

import math
import sqlite3
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.model.tree import Node, Phrase, Word
from recollect.retrieve.words import stem
from recollect.stores.fields import BM25_B, BM25_K1, FIELD_WEIGHTS
from recollect.stores.sqlite import fts
from recollect.stores.sqlite.head import Scores
from recollect.stores.sqlite.impact import ImpactIndex
from recollect.stores.sqlite.layers import Rows
from recollect.stores.sqlite.listing import GIVEN, listed_rows
from recollect.stores.sqlite.occurrences import counter
from recollect.stores.trees import Leaf, Wanted, leaves

_ROUNDING: Final = 1e-12  # more than the order of adding can change a sum of a few hundred numbers


class _Counts(NamedTuple):
    """Of some leaves: how often each stands in each row, and in how many passages of the file."""

    counts: NDArray[np.float64]
    holding: Sequence[int]


def best(
    connection: sqlite3.Connection, query: Node, index: ImpactIndex, rows: Rows, depth: int
) -> tuple[Rows, Scores]:
    """Of these ascending rows the best `depth`, with all that tie with the last of them."""
    shares = _shares(connection, query, index, rows)
    rough = shares.sum(axis=0)
    if len(rows) > depth:
        least = np.partition(rough, len(rows) - depth)[len(rows) - depth] * (1 - _ROUNDING)
        rows, shares = rows[rough >= least], shares[:, rough >= least]
    return rows, np.fromiter(map(math.fsum, shares.T.tolist()), np.float64, len(rows))


def _shares(
    connection: sqlite3.Connection, query: Node, index: ImpactIndex, rows: Rows
) -> NDArray[np.float64]:
    """What each word, phrase or prefix of the query adds to the score of each row."""
    scored = leaves(query)
    words = [leaf.text for leaf, field in scored if isinstance(leaf, Word) and field is None]
    others = [(leaf, field) for leaf, field in scored if field or not isinstance(leaf, Word)]
    details = index.look_up([stem(word) for word in words], rows)
    read = _read(connection, others, rows)
    counts = np.concatenate((details.counts, read.counts))
    holding = [*details.holding.tolist(), *read.holding]
    rarity = np.array([_rarity(details.passages, many) for many in holding])
    damping = BM25_K1 * (1 - BM25_B + BM25_B * details.lengths / details.mean)
    shares: NDArray[np.float64] = (
        rarity[:, np.newaxis] * counts * (BM25_K1 + 1) / (counts + damping)
    )
    return shares


def _rarity(passages: int, holding: int) -> float:
    return math.log(1 + (passages - holding + 0.5) / (holding + 0.5))


def _read(connection: sqlite3.Connection, leaves: Sequence[Wanted], rows: Rows) -> _Counts:
    """What the index cannot know, phrases, prefixes and fields, is counted in the passages' words."""
    counts = np.zeros((len(leaves), len(rows)))
    if not leaves or not len(rows):
        return _Counts(counts, [0] * len(leaves))
    for at, (leaf, field) in enumerate(leaves):
        names = tuple(FIELD_WEIGHTS) if field is None else (field,)
        counts[at] = _counted(connection, leaf, names, rows)
    return _Counts(counts, [_holding(connection, leaf, field) for leaf, field in leaves])


def _counted(
    connection: sqlite3.Connection, leaf: Leaf, names: Sequence[str], rows: Rows
) -> NDArray[np.float64]:
    """Each place counts as much as its field."""
    columns = ", ".join(f"{name}, {_stems(leaf, name)}" for name in names)
    statement = f"SELECT rowid, {columns} FROM passage_words WHERE rowid IN {GIVEN}"
    count, weights = counter(leaf), [FIELD_WEIGHTS[name] for name in names]
    counts = {}
    for row, *read in connection.execute(statement, (listed_rows(rows),)):
        fields = zip(weights, read[::2], read[1::2], strict=True)
        counts[row] = sum(weight * count(own, stems) for weight, own, stems in fields if own)
    return np.fromiter((counts.get(row, 0.0) for row in rows.tolist()), np.float64, len(rows))


def _stems(leaf: Leaf, name: str) -> str:
    """The column of a field's stems, where this leaf looks at it at all: reading it takes time."""
    looks = isinstance(leaf, Word) or (isinstance(leaf, Phrase) and len(leaf.words) == 1)
    return f"{name}_stems" if looks else "''"


def _holding(connection: sqlite3.Connection, leaf: Leaf, field: str | None) -> int:
    statement = "SELECT count(*) FROM passage_words WHERE passage_words MATCH ?"
    return int(connection.execute(statement, (fts.expression(leaf, field),)).fetchone()[0])
