"""An older file in, one of today out: numbered steps, each a transaction of its own.

`PRAGMA user_version` says how many steps a file has taken. Every step may run twice, and two
processes may open the same file at once: whoever holds the write lock looks again before it steps.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from recollect.model.errors import StoreError
from recollect.stores.sqlite import schema
from recollect.stores.sqlite.transaction import reading, writing

APPLICATION: Final = 0x52434C31  # "RCL1": marks a file as ours

STEPS: Final[Sequence[str]] = (
    schema.NOTES,
    schema.WORDS,
    schema.VECTORS,
    schema.POOL,
    schema.FILES,
    schema.HISTORY,
)


def check_kind(connection: sqlite3.Connection, path: Path) -> None:
    """Refuses a file of another program, or of a later Recollect. Writes nothing."""
    with reading(connection, path):  # one view: another process may be making the file just now
        version, owner = _pragma(connection, "user_version"), _pragma(connection, "application_id")
        has_tables = _has_tables(connection)
    if owner == APPLICATION and version > len(STEPS):
        raise StoreError(
            f"{path} was written by a newer Recollect (file version {version}, this one knows "
            f"{len(STEPS)}); update Recollect to open it"
        )
    if owner != APPLICATION and (version or owner or has_tables):
        raise StoreError(f"{path} is a database of another program; give another path")


def is_current(connection: sqlite3.Connection) -> bool:
    return _pragma(connection, "user_version") == len(STEPS)


def migrate(connection: sqlite3.Connection, path: Path, steps: Sequence[str] = STEPS) -> None:
    while (taken := _pragma(connection, "user_version")) < len(steps):
        with writing(connection, path):
            if _pragma(connection, "user_version") == taken:
                _take(connection, taken + 1, steps[taken])


def _take(connection: sqlite3.Connection, number: int, script: str) -> None:
    for statement in statements(script):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {number}")


def statements(script: str) -> Iterator[str]:
    """A script's statements, one by one: `executescript` would end the transaction."""
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _has_tables(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None
