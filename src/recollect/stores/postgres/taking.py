"""Records in, rows of the server out, within the transaction of whoever calls."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from recollect.model.note import Session
from recollect.model.records import Alias, FileLine, KeptNote, KeptVector, Kind, Record, Setting
from recollect.ports import Vector
from recollect.retrieve.aliases import alias_key
from recollect.stores.checks import checked
from recollect.stores.postgres.connections import Connection
from recollect.stores.postgres.vector_writer import current, keep_vectors
from recollect.stores.postgres.writer import put_all
from recollect.stores.runs import runs

_USAGE: Final = """
WITH own AS (
    UPDATE usage SET accessed_at = %(at)s, access_count = %(used)s, exposures = %(shown)s
    WHERE space = %(space)s AND note = %(note)s
)
UPDATE embedded SET accessed_at = %(at)s WHERE space = %(space)s AND note = %(note)s
"""
_ALIAS: Final = """
INSERT INTO aliases VALUES (%(space)s, %(name)s,
    (SELECT coalesce(max(place), -1) + 1 FROM aliases WHERE space = %(space)s), %(others)s)
ON CONFLICT (space, name) DO UPDATE SET others = excluded.others, place = excluded.place
"""
_SESSION: Final = (
    "INSERT INTO sessions VALUES (%s, %s, %s)"
    " ON CONFLICT (space, session) DO UPDATE SET project = excluded.project"
)
_SETTING: Final = (
    "INSERT INTO settings VALUES (%s, %s, %s)"
    " ON CONFLICT (owner, name) DO UPDATE SET value = excluded.value"
)
_FILE: Final = (
    "INSERT INTO files VALUES (%s, %s, %s)"
    " ON CONFLICT (space, path) DO UPDATE SET record = excluded.record"
)


def take_all(connection: Connection, schema: str, records: Iterable[Record]) -> None:
    for kind, run in runs(records):
        if kind == "vector":
            _take_vectors(connection, schema, run)  # type: ignore[arg-type]
        else:
            _TAKES[kind](connection, run)


def _take_notes(connection: Connection, notes: Sequence[KeptNote]) -> None:
    put_all(connection, {one.document.note.id: checked(one.document) for one in notes})
    for one in notes:
        note, usage = one.document.note, one.usage
        given = {"space": note.space, "note": note.id, "at": usage.accessed_at}
        counts = {"used": usage.access_count, "shown": usage.exposures}
        connection.execute(_USAGE, given | counts)


def _take_aliases(connection: Connection, aliases: Sequence[Alias]) -> None:
    for one in aliases:
        given = {"space": one.space, "name": alias_key(one.name), "others": list(one.others)}
        connection.execute(_ALIAS, given)


def _take_sessions(connection: Connection, sessions: Sequence[Session]) -> None:
    for one in sessions:
        connection.execute(_SESSION, (one.space, one.id, one.project))


def _take_settings(connection: Connection, settings: Sequence[Setting]) -> None:
    for one in settings:
        connection.execute(_SETTING, (one.owner, one.name, json.dumps(one.value)))


def _take_files(connection: Connection, files: Sequence[FileLine]) -> None:
    for one in files:
        connection.execute(_FILE, (one.space, one.path, one.line))


def _take_vectors(connection: Connection, schema: str, vectors: Sequence[KeptVector]) -> None:
    by_model: dict[str, dict[str, Vector]] = {}
    for one in vectors:
        own = by_model.setdefault(one.model, {})
        own[one.passage_id] = np.frombuffer(one.float32, "<f4")
    for model, own in by_model.items():
        found = current(connection, dict.fromkeys(own))
        keep_vectors(connection, schema, model, own, found)


_TAKES: Final[Mapping[Kind, Callable[[Connection, Sequence[Any]], None]]] = {
    "note": _take_notes,
    "alias": _take_aliases,
    "session": _take_sessions,
    "setting": _take_settings,
    "file": _take_files,
}
