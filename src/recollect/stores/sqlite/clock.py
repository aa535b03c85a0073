"""The file's change counter: how an index beside it, and a mask of a scope, know what they missed."""

import sqlite3
from typing import NamedTuple


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
    return int(connection.execute("SELECT change FROM clock").fetchone()[0])


def note_move(connection: sqlite3.Connection) -> None:
    """Whatever is remembered about who belongs to which project holds no longer."""
    connection.execute("UPDATE clock SET moves = moves + 1")
