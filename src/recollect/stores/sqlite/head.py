"""The best rows of a search, with all that tie with the last of them: ids then decide who stays."""

import sqlite3
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.model.ranking import Hit
from recollect.stores.hits import in_order
from recollect.stores.sqlite.layers import Rows
from recollect.stores.sqlite.listing import GIVEN, listed_rows

Scores = NDArray[np.float64]
Search = Callable[[int], tuple[Rows, NDArray[np.floating]]]

_SPARE: Final = 16
_WIDER: Final = 4


def head(search: Search, depth: int, rounding: float = 0.0) -> tuple[Rows, Scores]:
    """`rounding` is how far apart, relatively, two scores may be that are really the same."""
    asked = depth + _SPARE
    while True:
        rows, scores = search(asked)
        if len(rows) < asked or scores[-1] < scores[depth - 1] * (1 - rounding):
            return rows, scores.astype(np.float64)
        asked *= _WIDER


def hits(connection: sqlite3.Connection, rows: Rows, scores: Scores, depth: int) -> list[Hit]:
    """The best `depth`, by score and then by the passage's id; a row that is gone is left out."""
    rows, scores = _reaching(rows, scores, depth)
    names = connection.execute(
        "SELECT p.row, n.id, p.id FROM passages p JOIN notes n ON n.row = p.note"
        f" WHERE p.row IN {GIVEN}",
        (listed_rows(rows),),
    )
    named = {row: (note_id, passage_id) for row, note_id, passage_id in names}
    found = [
        Hit(named[row][0], score, named[row][1])
        for row, score in zip(rows.tolist(), scores.tolist(), strict=True)
        if row in named
    ]
    return in_order(found)[:depth]


def _reaching(rows: Rows, scores: Scores, depth: int) -> tuple[Rows, Scores]:
    if len(rows) <= depth:
        return rows, scores
    least = np.partition(scores, len(scores) - depth)[len(scores) - depth]
    return rows[scores >= least], scores[scores >= least]
