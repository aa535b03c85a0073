"""Everything a person put into the file, given out as records and taken in again."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from recollect.model.note import Session
from recollect.model.records import (
    OWN,
    Alias,
    FileLine,
    KeptNote,
    KeptVector,
    Key,
    Kind,
    Page,
    Record,
    Setting,
)
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.contents import Content, contents, contents_after
from recollect.stores.sqlite.fresh import models
from recollect.stores.sqlite.listing import unpacked
from recollect.stores.sqlite.taking import take_all


class SQLiteArchive:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def records(self, *, vectors: bool = True) -> Iterator[Record]:
        with self._connections.reading() as connection:
            yield from map(_kept, contents(connection))
            for table in _TABLES.values():
                yield from _every_row(connection, table)
            if vectors:
                yield from _vectors(connection)

    def records_after(self, kind: Kind, after: Key | None, count: int) -> Page:
        with self._connections.reading() as connection:
            if kind == "note":
                found, reached = contents_after(connection, after[0] if after else "", count)
                return Page([_kept(one) for one in found], (reached,) if reached else None)
            if kind == "vector":
                return _some_vectors(connection, after, count)
            return _some_rows(connection, _TABLES[kind], after, count)

    def take(self, records: Iterable[Record]) -> None:
        with self._connections.writing() as connection:
            take_all(connection, records)


def _kept(content: Content) -> KeptNote:
    return KeptNote(content.document, content.usage)


def _alias(space: str, name: str, others: str) -> Alias:
    return Alias(space, name, unpacked(others))


def _setting(owner: str, name: str, value: str) -> Setting:
    return Setting(owner, name, json.loads(value))


class _Table(NamedTuple):
    selected: str
    order: str
    key: str
    record: Callable[..., Record]


_TABLES: Final[Mapping[Kind, _Table]] = {
    "alias": _Table(
        "SELECT space, name, others FROM aliases WHERE true", "space, place", "space, name", _alias
    ),
    "session": _Table(
        "SELECT space, session, project FROM sessions WHERE true",
        "space, session",
        "space, session",
        Session,
    ),
    "setting": _Table(
        f"SELECT owner, name, value FROM settings WHERE substr(owner, 1, 1) != '{OWN}'",
        "owner, name",
        "owner, name",
        _setting,
    ),
    "file": _Table(
        "SELECT space, path, record FROM files WHERE true", "space, path", "space, path", FileLine
    ),
}


def _every_row(connection: sqlite3.Connection, table: _Table) -> Iterator[Record]:
    rows = connection.execute(f"{table.selected} ORDER BY {table.order}")
    return (table.record(*row) for row in rows)


def _some_rows(
    connection: sqlite3.Connection, table: _Table, after: Key | None, count: int
) -> Page:
    later = f"{table.selected} AND ({table.key}) > (?, ?) ORDER BY {table.key} LIMIT ?"
    rows = connection.execute(later, (*(after or ("", "")), count)).fetchall()
    reached = rows[-1][:2] if len(rows) == count else None
    return Page([table.record(*row) for row in rows], reached)


def _vectors(connection: sqlite3.Connection) -> Iterator[Record]:
    for model in models(connection):
        found = connection.execute(
            "SELECT p.id, v.vector FROM vectors v JOIN passages p ON p.row = v.passage"
            " WHERE v.model = ? ORDER BY v.passage",
            (model.row,),
        )
        yield from (KeptVector(model.identity, *row) for row in found)


def _some_vectors(connection: sqlite3.Connection, after: Key | None, count: int) -> Page:
    first, passage = after or ("", "")
    found: list[Record] = []
    reached: Key | None = None
    for model in sorted(models(connection), key=lambda one: one.identity):
        if model.identity < first or len(found) == count:
            continue
        rows = _vectors_after(
            connection, model.row, passage if model.identity == first else "", count - len(found)
        )
        found += [KeptVector(model.identity, *row) for row in rows]
        reached = (model.identity, rows[-1][0]) if rows else reached
    return Page(found, reached if len(found) == count else None)


def _vectors_after(
    connection: sqlite3.Connection, model: int, passage: str, count: int
) -> list[tuple[Any, ...]]:
    statement = (
        "SELECT p.id, v.vector FROM passages p"
        " CROSS JOIN vectors v ON v.model = ? AND v.passage = p.row"
        " WHERE p.id > ? ORDER BY p.id LIMIT ?"
    )
    return connection.execute(statement, (model, passage, count)).fetchall()
