"""Finding by words: FTS5 says what matches, BM25 over the derived index says in which order.

A query that any of its words satisfies, as most are, needs the index only. Any other is matched by
FTS5, without ranking, and what matches is scored. Either way the scores are those of the formula
in double precision, so that they are the same whatever found a passage.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Final

import numpy as np

from recollect.model.query import Scope
from recollect.model.ranking import Hit
from recollect.model.tree import And, Bag, But, In, Node, Or
from recollect.retrieve.words import stem
from recollect.stores.seeing import sees_nothing
from recollect.stores.sqlite import fts
from recollect.stores.sqlite.clock import read_clock
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.fresh import Indexes
from recollect.stores.sqlite.head import head, hits
from recollect.stores.sqlite.impact import ImpactIndex
from recollect.stores.sqlite.layers import Allowed, Rows
from recollect.stores.sqlite.listing import GIVEN, listed_rows
from recollect.stores.sqlite.scoring import best
from recollect.stores.sqlite.segment import Damaged
from recollect.stores.sqlite.sight import Sight, rows_of_notes, visible
from recollect.stores.trees import bag_of_words

_ROUNDING: Final = 1e-5  # more than single precision can be off in a score
_MATCHING: Final = "SELECT rowid FROM passage_words WHERE passage_words MATCH ?"


class SQLiteWords:
    may_wait = False

    def __init__(self, connections: Connections, indexes: Indexes, sight: Sight) -> None:
        self._connections = connections
        self._indexes = indexes
        self._sight = sight

    def compiled(self, query: Node) -> str:
        return fts.expression(query)

    def find(self, query: Node, scope: Scope, depth: int) -> Sequence[Hit]:
        if depth < 1 or sees_nothing(scope):
            return []
        with self._connections.reading() as connection:
            try:
                return self._ranked(connection, query, scope, depth)
            except Damaged:
                self._indexes.distrust_words()
                return self._ranked(connection, query, scope, depth)

    def containing(self, query: Node, note_ids: Iterable[str]) -> frozenset[str]:
        with self._connections.reading() as connection:
            rows = rows_of_notes(connection, dict.fromkeys(note_ids))
            found = _matching(connection, query, rows) if len(rows) else rows
            if not len(found):
                return frozenset()
            statement = (
                f"SELECT n.id FROM passages p JOIN notes n ON n.row = p.note WHERE p.row IN {GIVEN}"
            )
            names = connection.execute(statement, (listed_rows(found),))
            return frozenset(note_id for (note_id,) in names)

    def _ranked(
        self, connection: sqlite3.Connection, query: Node, scope: Scope, depth: int
    ) -> Sequence[Hit]:
        index = self._indexes.words(connection)
        allowed = self._sight.rows(connection, scope, read_clock(connection))
        words = bag_of_words(query)
        if words is not None:
            rows = _likely(index, words, allowed, depth)
        else:
            rows = visible(_matching(connection, query), allowed)
        return hits(connection, *best(connection, query, index, rows, depth), depth)


def _likely(index: ImpactIndex, words: Sequence[str], allowed: Allowed, depth: int) -> Rows:
    """The best passages, and those whose score only rounding sets apart from them."""
    terms = Counter(map(stem, words))
    rows, _ = head(lambda count: index.search(terms, count, allowed), depth, _ROUNDING)
    return np.sort(rows)


def _matching(connection: sqlite3.Connection, node: Node, among: Rows | None = None) -> Rows:
    """The rows that match, ascending; a tree deeper than FTS5 can read is matched piece by piece."""
    if fts.fits(node):
        return _matched(connection, fts.expression(node), among)
    match node:
        case In(field, child):
            return _matching(connection, _pushed(field, child), among)
        case But(wanted, unwanted):
            found = _matching(connection, wanted, among)
            return np.setdiff1d(found, _matching(connection, unwanted, among), assume_unique=True)
        case And(nodes):
            return reduce(np.intersect1d, (_matching(connection, one, among) for one in nodes))
        case Or(nodes) | Bag(nodes):
            return reduce(np.union1d, (_matching(connection, one, among) for one in nodes))
    raise AssertionError(node)


def _pushed(field: str, node: Node) -> Node:
    """The field at each of a group's parts instead of around the group."""
    match node:
        case And(nodes):
            return And(tuple(In(field, child) for child in nodes))
        case Or(nodes) | Bag(nodes):
            return Or(tuple(In(field, child) for child in nodes))
        case But(wanted, unwanted):
            return But(In(field, wanted), In(field, unwanted))
    return node


def _matched(connection: sqlite3.Connection, expression: str, among: Rows | None) -> Rows:
    if among is None:
        found = connection.execute(_MATCHING, (expression,))
    else:
        found = connection.execute(
            f"{_MATCHING} AND rowid IN {GIVEN}", (expression, listed_rows(among))
        )
    return np.sort(np.fromiter((row for (row,) in found), np.int64))
