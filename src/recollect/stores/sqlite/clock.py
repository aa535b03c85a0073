"""The file's change counter: how an index beside it, and a mask of a scope, know what they missed."""

import sqlite3
from typing import Final, NamedTuple

_LISTED: Final = 10_000  # removals that are always listed: few enough to read in a moment
_SELDOM: Final = 256  # changes from one look at that list to the next


class Clock(NamedTuple):
    """Where the file stands in one view of it; `schema.NOTES` says what each number counts."""

    change: int
    passages: int
    horizon: int
    moves: int


def read_clock(connection: sqlite3.Connection) -> Clock:
    statement = "SELECT change, passages, horizon, moves FROM clock"
    return Clock(*connection.execute(statement).fetchone())


def next_change(connection: sqlite3.Connection) -> int:
    """The number of the change this transaction makes."""
    connection.execute("UPDATE clock SET change = change + 1")
    now = read_clock(connection)
    if now.change % _SELDOM == 0:
        _shorten(connection, now)
    return now.change


def _shorten(connection: sqlite3.Connection, now: Clock) -> None:
    """Forgets the older half of a list of removals that has outgrown the file.

    An index that stopped before that half is built again, which then costs less than catching up.
    """
    listed = int(connection.execute("SELECT count(*) FROM removals").fetchone()[0])
    if listed > max(_LISTED, now.passages):
        middle = "SELECT change FROM removals ORDER BY change LIMIT 1 OFFSET ?"
        (horizon,) = connection.execute(middle, (listed // 2,)).fetchone()
        connection.execute("DELETE FROM removals WHERE change <= ?", (horizon,))
        connection.execute("UPDATE clock SET horizon = ?", (horizon,))


def note_move(connection: sqlite3.Connection) -> None:
    """Whatever is remembered about who belongs to which project holds no longer."""
    connection.execute("UPDATE clock SET moves = moves + 1")
