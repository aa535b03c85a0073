"""Everything a person put in, given out as records and taken in again."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from recollect.model.note import Session
from recollect.model.records import (
    OWN,
    Alias,
    FileLine,
    KeptVector,
    Key,
    Kind,
    Page,
    Record,
    Setting,
)
from recollect.stores.postgres.connections import TRIES, Connection, Connections
from recollect.stores.postgres.contents import AT_ONCE, kept_after
from recollect.stores.postgres.models import Model, models
from recollect.stores.postgres.taking import take_all
from recollect.stores.postgres.wire import received


class PostgresArchive:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def records(self, *, vectors: bool = True) -> Iterator[Record]:
        with self._connections.viewing() as connection:
            for kind in ("note", *_TABLES, *(("vector",) if vectors else ())):
                after: Key | None = None
                while True:
                    page = _page(connection, kind, after, AT_ONCE)
                    yield from page.records
                    after = page.reached
                    if after is None:
                        break

    def records_after(self, kind: Kind, after: Key | None, count: int) -> Page:
        return self._connections.read(lambda connection: _page(connection, kind, after, count))

    def take(self, records: Iterable[Record]) -> None:
        used_up = (
            iter(records) is records
        )  # such records can be read once, so that there is one try
        schema = self._connections.schema
        self._connections.write(
            lambda connection: take_all(connection, schema, records), tries=1 if used_up else TRIES
        )


class _Table(NamedTuple):
    selected: str
    key: str
    record: Callable[..., Record]


def _alias(space: str, name: str, others: list[str]) -> Alias:
    return Alias(space, name, tuple(others))


def _setting(owner: str, name: str, value: str) -> Setting:
    return Setting(owner, name, json.loads(value))


_TABLES: Final[Mapping[Kind, _Table]] = {
    "alias": _Table("SELECT space, name, others FROM aliases WHERE true", "space, name", _alias),
    "session": _Table(
        "SELECT space, session, project FROM sessions WHERE true", "space, session", Session
    ),
    "setting": _Table(
        f"SELECT owner, name, value FROM settings WHERE NOT starts_with(owner, '{OWN}')",
        'owner COLLATE "C", name COLLATE "C"',
        _setting,
    ),
    "file": _Table("SELECT space, path, record FROM files WHERE true", "space, path", FileLine),
}


def _page(connection: Connection, kind: str, after: Key | None, count: int) -> Page:
    if kind == "note":
        found, reached = kept_after(connection, after[0] if after else "", count)
        return Page(found, (reached,) if reached is not None else None)
    if kind == "vector":
        return _some_vectors(connection, after, count)
    return _some_rows(connection, _TABLES[kind], after, count)  # type: ignore[index]


def _some_rows(connection: Connection, table: _Table, after: Key | None, count: int) -> Page:
    later = f"{table.selected} AND ({table.key}) > (%s, %s) ORDER BY {table.key} LIMIT %s"
    rows = connection.execute(later, (*(after or ("", "")), count)).fetchall()
    reached = (rows[-1][0], rows[-1][1]) if len(rows) == count else None
    return Page([table.record(*row) for row in rows], reached)


def _some_vectors(connection: Connection, after: Key | None, count: int) -> Page:
    first, passage = after or ("", "")
    found: list[Record] = []
    reached: Key | None = None
    for model in sorted(models(connection), key=lambda one: one.identity):
        if model.identity < first or len(found) == count:
            continue
        start = passage if model.identity == first else ""
        rows = _vectors_after(connection, model, start, count - len(found))
        found += [KeptVector(model.identity, one, _bytes(vector)) for one, vector in rows]
        reached = (model.identity, rows[-1][0]) if rows else reached
    return Page(found, reached if len(found) == count else None)


def _vectors_after(
    connection: Connection, model: Model, passage: str, count: int
) -> list[tuple[Any, ...]]:
    statement = f"SELECT id, vector FROM {model.table} WHERE id > %s ORDER BY id LIMIT %s"
    with connection.cursor(binary=True) as cursor:
        return cursor.execute(statement, (passage, count)).fetchall()


def _bytes(sent: bytes) -> bytes:
    return received(sent).astype("<f4").tobytes()
