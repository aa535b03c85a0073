"""A running store in, a whole copy of its file out: online, checked, and there all at once or not."""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.model.errors import StoreError
from recollect.model.records import OWN
from recollect.stores.sqlite.transaction import speaking_of

if TYPE_CHECKING:
    from recollect.stores.sqlite import SQLiteStore


def backup(opened: "SQLiteStore", target: Path) -> Path:
    """Writers and readers go on meanwhile; an older copy is replaced only by a sound new one."""
    if target.exists() and opened.path.exists() and target.samefile(opened.path):
        raise StoreError(f"{target} is the store itself; give another path for its copy")
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with speaking_of(unfinished), closing(sqlite3.connect(unfinished)) as copy:
            with opened.connections.bare() as connection:
                connection.backup(copy)
            _make_its_own(copy)
            _check(copy, unfinished)
        _sync(unfinished)
        unfinished.replace(target)
        _sync(target.parent)
    finally:
        for rest in (unfinished, Path(f"{unfinished}-wal"), Path(f"{unfinished}-shm")):
            with suppress(FileNotFoundError):
                rest.unlink()
    return target


def _make_its_own(copy: sqlite3.Connection) -> None:
    """Another name for another store: an index of the one never passes for one of the other, and
    neither does what Qdrant keeps for it."""
    copy.execute("PRAGMA journal_mode = DELETE")
    copy.execute("PRAGMA foreign_keys = ON")
    with copy:
        for table, name in (("settings", "owner"), ("models", "identity")):
            copy.execute(f"DELETE FROM {table} WHERE substr({name}, 1, 1) = '{OWN}'")
        copy.execute("UPDATE meta SET value = lower(hex(randomblob(16))) WHERE name = 'store'")


def _check(copy: sqlite3.Connection, path: Path) -> None:
    said = [line for (line,) in copy.execute("PRAGMA integrity_check")]
    if said != ["ok"]:
        raise StoreError(f"{path}: the copy is not sound: {'; '.join(said[:3])}")


def _sync(path: Path) -> None:
    with suppress(OSError):  # not every system lets a folder be opened
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
