"""The file's change counter: how an index beside it, and a mask of a scope, know what they missed."""

import sqlite3
from typing import Final, NamedTuple

_LISTED: Final = 10_000  # removals that are always listed: few enough to read in a moment
_REMEMBERED: Final = 100_000  # changes after which an index nobody has used is built again
_STRIDE: Final = 1 << 20  # two histories meet at one number once in about a million
_SELDOM: Final = 256  # changes from one look at those lists to the next


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
    connection.execute(f"UPDATE clock SET change = change + 1 + abs(random() % {_STRIDE})")
    now = read_clock(connection)
    noted = connection.execute("INSERT INTO history (change) VALUES (?)", (now.change,))
    if int(noted.lastrowid or 0) % _SELDOM == 0:
        _shorten(connection, now)
    return now.change


def went_through(connection: sqlite3.Connection, change: int) -> bool:
    """Whether this file, and not one it was put in the place of, has been at this change."""
    statement = "SELECT 1 FROM history WHERE change = ?"
    return connection.execute(statement, (change,)).fetchone() is not None


def _shorten(connection: sqlite3.Connection, now: Clock) -> None:
    """Forgets the older half of a list that has outgrown its use.

    An index that stopped before that half is built again, which then costs less than catching up.
    """
    for table, most in (("removals", max(_LISTED, now.passages)), ("history", _REMEMBERED)):
        many = int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
        if many > most:
            middle = f"SELECT change FROM {table} ORDER BY change LIMIT 1 OFFSET ?"
            (horizon,) = connection.execute(middle, (many // 2,)).fetchone()
            connection.execute(f"DELETE FROM {table} WHERE change <= ?", (horizon,))
            connection.execute("UPDATE clock SET horizon = max(horizon, ?)", (horizon,))


def note_move(connection: sqlite3.Connection) -> None:
    """Whatever is remembered about who belongs to which project holds no longer."""
    connection.execute("UPDATE clock SET moves = moves + 1")
