"""Connections to one file, lent out to whoever reads or writes, in any thread.

WAL: readers see the last commit and wait for nobody, one writer at a time. `synchronous = FULL`: a
commit is on the disk before it is acknowledged, so that it survives a power cut, not just a kill.
"""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote

from recollect.model.errors import StoreError
from recollect.stores.sqlite import transaction
from recollect.stores.sqlite.migrations import check_kind, is_current, migrate

_KEPT: Final = 8  # idle connections kept open; more threads than this at once open their own
_CACHE_KIB: Final = 16_384
_WAL_BYTES: Final = 64 * 1024 * 1024  # a log that grew beyond this is cut back when it is emptied


class Connections:
    def __init__(self, path: Path, *, create: bool = True) -> None:
        self.path = path
        self.read_only = _is_read_only(path)
        self._idle: list[sqlite3.Connection] = []
        self._inherited: list[sqlite3.Connection] = []  # kept, so that nobody closes them
        self._changing = threading.Lock()
        self._writing = threading.Lock()
        self._open = True
        self._owner = os.getpid()
        _check_place(path, create=create)
        with transaction.speaking_of(path):
            self._give_back(self._first())

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        with self._lent() as connection, transaction.reading(connection, self.path):
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        if self.read_only:
            raise StoreError(f"{self.path} is read-only; nothing can be written to it")
        with (
            self._writing,
            self._lent() as connection,
            transaction.writing(connection, self.path),
        ):
            yield connection

    @contextmanager
    def bare(self) -> Iterator[sqlite3.Connection]:
        """A connection outside any transaction, for what SQLite will not do inside one."""
        with self._lent() as connection, transaction.speaking_of(self.path):
            yield connection

    def close(self) -> None:
        with self._changing:
            self._open = False
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    @contextmanager
    def _lent(self) -> Iterator[sqlite3.Connection]:
        connection = self._take()
        try:
            yield connection
        finally:
            self._give_back(connection)

    def _take(self) -> sqlite3.Connection:
        with self._changing:
            if not self._open:
                raise StoreError(f"{self.path} has been closed")
            if self._owner != os.getpid():  # after a fork: a connection belongs to one process
                self._owner, self._inherited, self._idle = os.getpid(), self._idle, []
            if self._idle:
                return self._idle.pop()
        with transaction.speaking_of(self.path):
            return self._connected()

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._changing:
            if self._open and len(self._idle) < _KEPT:
                self._idle.append(connection)
                return
        connection.close()

    def _first(self) -> sqlite3.Connection:
        """The first connection brings the file up to date."""
        connection = self._connected()
        try:
            check_kind(connection, self.path)
            self._bring_up_to_date(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _bring_up_to_date(self, connection: sqlite3.Connection) -> None:
        if not self.read_only:
            transaction.execute_patiently(connection, self.path, "PRAGMA journal_mode = WAL")
            migrate(connection, self.path)
        elif not is_current(connection):
            raise StoreError(
                f"{self.path} is read-only and of an older version; make it writable once"
            )

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            _address(self.path, read_only=self.read_only),
            uri=True,
            timeout=transaction.BUSY_TIMEOUT,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=256,
        )
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        connection.execute(f"PRAGMA journal_size_limit = {_WAL_BYTES}")
        return connection


def _check_place(path: Path, *, create: bool) -> None:
    if path.is_dir():
        raise StoreError(f"{path} is a folder; give the path of a file")
    if path.exists():
        return
    if not create:
        raise StoreError(f"there is no store at {path}; make one there, or give another path")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{path}: its folder cannot be made: {error.strerror}") from error


def _is_read_only(path: Path) -> bool:
    return path.exists() and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


def _address(path: Path, *, read_only: bool) -> str:
    address = f"file:{quote(str(path.absolute()))}"
    if not read_only:
        return address
    logged = Path(f"{path}-wal").exists()  # without a log there is nothing to share or to recover
    return f"{address}?mode=ro" + ("" if logged else "&immutable=1")
