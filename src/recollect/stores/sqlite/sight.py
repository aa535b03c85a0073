"""A scope in, the rows of the passages it lets be seen out, ready for an index to search within.

A mask of a wide scope is kept and brought up to date by the passages that changed since; a scope
that names sessions is narrow, and is read from the file's own index each time.
"""

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.model.query import Scope
from recollect.stores.sqlite.clock import Clock
from recollect.stores.sqlite.layers import Allowed, Mask, Rows
from recollect.stores.sqlite.listing import GIVEN, listed
from recollect.stores.sqlite.scope import where

_KEPT: Final = 32  # masks, of one byte a passage
_GROWTH: Final = 1.25  # room for passages to come, so that a new one does not copy the mask

_SPACES: Final = """WITH RECURSIVE each (space) AS (
    SELECT min(space) FROM notes
    UNION ALL SELECT (SELECT min(space) FROM notes WHERE space > each.space)
    FROM each WHERE space IS NOT NULL
) SELECT space FROM each WHERE space IS NOT NULL"""


class _Seen(NamedTuple):
    mask: Mask
    change: int
    moves: int


class Sight:
    def __init__(self) -> None:
        self._masks: OrderedDict[Scope, _Seen] = OrderedDict()
        self._changing = threading.Lock()

    def rows(self, connection: sqlite3.Connection, scope: Scope, now: Clock) -> Allowed:
        """None: everything may be seen. Else a mask over row numbers, or the rows, ascending."""
        if scope.sessions is not None:
            return _rows(connection, scope)
        wide = replace(scope, excluded=frozenset())
        if wide == Scope(wide.spaces) and spaces(connection) <= wide.spaces:
            return self._without(connection, None, scope.excluded)
        return self._without(connection, self._mask(connection, wide, now), scope.excluded)

    def _mask(self, connection: sqlite3.Connection, scope: Scope, now: Clock) -> Mask:
        moves = now.moves if scope.projects is not None else 0
        with self._changing:
            known = self._masks.get(scope)
        if known and known.moves != moves:
            known = None
        if known and known.change == now.change:
            return known.mask
        if known and known.change < now.change:
            mask = _updated(connection, scope, known)
        else:
            mask = _masked(_empty(connection), _rows(connection, scope))
        with self._changing:
            self._masks[scope] = _Seen(mask, now.change, moves)
            self._masks.move_to_end(scope)
            while len(self._masks) > _KEPT:
                self._masks.popitem(last=False)
        return mask

    def _without(
        self, connection: sqlite3.Connection, mask: Mask | None, excluded: Iterable[str]
    ) -> Mask | None:
        hidden = rows_of_notes(connection, excluded)
        if not len(hidden):
            return mask
        rest = ~_empty(connection) if mask is None else mask.copy()
        rest[hidden] = False
        return rest


def spaces(connection: sqlite3.Connection) -> frozenset[str]:
    """Every space that has a note, by as many steps through an index as there are spaces."""
    return frozenset(space for (space,) in connection.execute(_SPACES))


def rows_of_notes(connection: sqlite3.Connection, note_ids: Iterable[str]) -> Rows:
    ids = list(note_ids)
    if not ids:
        return np.zeros(0, np.int64)
    statement = f"SELECT p.row FROM notes n JOIN passages p ON p.note = n.row WHERE n.id IN {GIVEN}"
    return _ascending(connection.execute(statement, (listed(ids),)))


def visible(rows: Rows, allowed: Allowed) -> Rows:
    """Those of the ascending rows that may be seen."""
    if allowed is None:
        return rows
    if allowed.dtype == np.bool_:
        known = rows[rows < len(allowed)]
        seen: Rows = known[allowed[known]]
        return seen
    return np.intersect1d(rows, allowed.astype(np.int64), assume_unique=True)


def _rows(connection: sqlite3.Connection, scope: Scope) -> Rows:
    seen = where(scope)
    statement = (
        f"SELECT p.row FROM notes n CROSS JOIN passages p ON p.note = n.row WHERE {seen.condition}"
    )
    return _ascending(connection.execute(statement, seen.parameters))


def _updated(connection: sqlite3.Connection, scope: Scope, known: _Seen) -> Mask:
    seen = where(scope)
    statement = (
        f"SELECT p.row, {seen.condition} FROM passages p JOIN notes n ON n.row = p.note"
        " WHERE p.change > ?"
    )
    changed = connection.execute(statement, (*seen.parameters, known.change)).fetchall()
    mask = _grown(known.mask, _highest_row(connection))
    mask[[row for row, _ in changed]] = [bool(sees) for _, sees in changed]
    return mask


def _masked(mask: Mask, rows: Rows) -> Mask:
    mask[rows] = True
    return mask


def _empty(connection: sqlite3.Connection) -> Mask:
    return np.zeros(int(_highest_row(connection) * _GROWTH) + 1, bool)


def _grown(mask: Mask, highest: int) -> Mask:
    if highest < len(mask):
        return mask.copy()
    grown = np.zeros(int(highest * _GROWTH) + 1, bool)
    grown[: len(mask)] = mask
    return grown


def _highest_row(connection: sqlite3.Connection) -> int:
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'passages'").fetchone()
    return int(row[0]) if row else 0


def _ascending(cursor: Iterable[tuple[int]]) -> NDArray[np.int64]:
    return np.sort(np.fromiter((row for (row,) in cursor), np.int64))
