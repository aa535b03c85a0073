"""Transactions on one connection: all of it or nothing, patient with other processes.

SQLite's own errors become `StoreError`s that name the file; "database is locked" is waited out.
"""

import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from recollect.model.errors import BadInput, StoreError

PATIENCE: Final = 60.0
"""Seconds to wait for other writers. A write takes milliseconds; only a hung process takes this long."""
BUSY_TIMEOUT: Final = 5.0  # seconds SQLite itself waits before it says that the file is locked
_PAUSE: Final = 0.01  # seconds; a commit takes about one millisecond
_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})


@contextmanager
def reading(connection: sqlite3.Connection, path: Path) -> Iterator[sqlite3.Connection]:
    """One unchanging view of the file. Takes no lock that a writer would have to wait for."""
    with speaking_of(path):
        try:
            execute_patiently(connection, path, "BEGIN")
            execute_patiently(connection, path, "PRAGMA user_version")  # the view begins here
            yield connection
        finally:
            connection.rollback()


@contextmanager
def writing(connection: sqlite3.Connection, path: Path) -> Iterator[sqlite3.Connection]:
    with speaking_of(path):
        _take_turn(connection, path)
        try:
            yield connection
            connection.execute("COMMIT")
        finally:
            connection.rollback()  # nothing is left to roll back after a commit


def _take_turn(connection: sqlite3.Connection, path: Path) -> None:
    """Asks for the write lock often: SQLite itself asks ever less often, and a crowd starves one."""
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        execute_patiently(connection, path, "BEGIN IMMEDIATE")
    finally:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT * 1000:.0f}")


def execute_patiently(connection: sqlite3.Connection, path: Path, statement: str) -> sqlite3.Cursor:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return connection.execute(statement)
        except sqlite3.OperationalError as error:
            if not is_busy(error):
                raise
            if time.monotonic() > deadline:
                raise StoreError(
                    f"{path}: another process has kept it locked for {PATIENCE:g} seconds; "
                    "end that process, then try again"
                ) from error
            time.sleep(random.uniform(0, _PAUSE))  # noqa: S311 - so that two never wait in step


def is_busy(error: sqlite3.OperationalError) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY


@contextmanager
def speaking_of(path: Path) -> Iterator[None]:
    """Whatever SQLite has to say is said of this file, as an error of ours."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {error}") from error
    except UnicodeEncodeError as error:
        raise BadInput(
            "text", error.object, "holds half of a surrogate pair, which no file can keep"
        ) from error
