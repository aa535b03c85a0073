"""Records in, rows of the file out, within the transaction of whoever calls."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from recollect.model.note import Session
from recollect.model.records import Alias, FileLine, KeptNote, KeptVector, Kind, Record, Setting
from recollect.retrieve.aliases import alias_key
from recollect.stores.runs import runs
from recollect.stores.sqlite.clock import note_move
from recollect.stores.sqlite.listing import listed
from recollect.stores.sqlite.moments import stored
from recollect.stores.sqlite.vector_writer import keep_vectors
from recollect.stores.sqlite.writer import prepared, put_all


def take_all(connection: sqlite3.Connection, records: Iterable[Record]) -> None:
    for kind, run in runs(records):
        _TAKES[kind](connection, run)
    note_move(connection)


def _take_notes(connection: sqlite3.Connection, notes: Sequence[KeptNote]) -> None:
    put_all(connection, [prepared(one.document) for one in notes])
    connection.executemany(
        "UPDATE usage SET accessed_at = ?, access_count = ?, exposures = ?"
        " WHERE note = (SELECT row FROM notes WHERE id = ?)",
        (
            (
                stored(one.usage.accessed_at),
                one.usage.access_count,
                one.usage.exposures,
                one.document.note.id,
            )
            for one in notes
        ),
    )


def _take_aliases(connection: sqlite3.Connection, aliases: Sequence[Alias]) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO aliases VALUES (:space, :name,"
        " (SELECT coalesce(max(place), -1) + 1 FROM aliases WHERE space = :space), :others)",
        (
            {"space": one.space, "name": alias_key(one.name), "others": listed(one.others)}
            for one in aliases
        ),
    )


def _take_sessions(connection: sqlite3.Connection, sessions: Sequence[Session]) -> None:
    values = ((one.space, one.id, one.project) for one in sessions)
    connection.executemany("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?)", values)


def _take_settings(connection: sqlite3.Connection, settings: Sequence[Setting]) -> None:
    values = ((one.owner, one.name, json.dumps(one.value)) for one in settings)
    connection.executemany("INSERT OR REPLACE INTO settings VALUES (?, ?, ?)", values)


def _take_files(connection: sqlite3.Connection, files: Sequence[FileLine]) -> None:
    values = ((one.space, one.path, one.line) for one in files)
    connection.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?)", values)


def _take_vectors(connection: sqlite3.Connection, vectors: Sequence[KeptVector]) -> None:
    by_model: dict[str, dict[str, np.ndarray[Any, np.dtype[np.float32]]]] = {}
    for one in vectors:
        own = by_model.setdefault(one.model, {})
        own[one.passage_id] = np.frombuffer(one.float32, "<f4")
    for model, own in by_model.items():
        keep_vectors(connection, model, own)


_TAKES: Final[Mapping[Kind, Callable[[sqlite3.Connection, Sequence[Any]], None]]] = {
    "note": _take_notes,
    "alias": _take_aliases,
    "session": _take_sessions,
    "setting": _take_settings,
    "file": _take_files,
    "vector": _take_vectors,
}
