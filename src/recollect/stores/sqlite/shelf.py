"""Reading what is stored, by id, in one batch each."""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Final

from recollect.model.note import Facts, Note, Passage
from recollect.model.query import Scope
from recollect.stores.seeing import sees_nothing
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.listing import GIVEN, listed, unpacked
from recollect.stores.sqlite.rows import (
    FACT_COLUMNS,
    NOTE_COLUMNS,
    PASSAGE_COLUMNS,
    facts_of,
    note_of,
    passage_of,
)
from recollect.stores.sqlite.scope import where

_FACTS: Final = (
    f"SELECT {FACT_COLUMNS} FROM notes n JOIN usage u ON u.note = n.row"
    f" JOIN passages p ON p.note = n.row AND p.place = 0 WHERE n.id IN {GIVEN}"
)
_BACKLINKS: Final = (
    "SELECT n.id, count(DISTINCT l.source), max(l.kind = 'supersedes') FROM notes n"
    " JOIN links l ON l.target = n.id JOIN notes s ON s.row = l.source"
    f" WHERE n.id IN {GIVEN} AND s.space = n.space AND s.row != n.row GROUP BY n.id"
)


class SQLiteShelf:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def facts(self, note_ids: Iterable[str]) -> Mapping[str, Facts]:
        wanted = list(dict.fromkeys(note_ids))
        if not wanted:
            return {}
        with self._connections.reading() as connection:
            given = (listed(wanted),)
            pointing = {note_id: rest for note_id, *rest in connection.execute(_BACKLINKS, given)}
            read = {columns[0]: columns for columns in connection.execute(_FACTS, given)}
        return {
            note_id: _facts(read[note_id], pointing.get(note_id))
            for note_id in wanted
            if note_id in read
        }

    def passages(self, passage_ids: Iterable[str]) -> Mapping[str, Passage]:
        wanted = list(dict.fromkeys(passage_ids))
        if not wanted:
            return {}
        statement = (
            f"SELECT {PASSAGE_COLUMNS} FROM passages p JOIN notes n ON n.row = p.note"
            f" WHERE p.id IN {GIVEN}"
        )
        with self._connections.reading() as connection:
            found = map(passage_of, connection.execute(statement, (listed(wanted),)))
            return {passage.id: passage for passage in found}

    def notes(self, note_ids: Iterable[str]) -> Mapping[str, Note]:
        wanted = list(dict.fromkeys(note_ids))
        if not wanted:
            return {}
        with self._connections.reading() as connection:
            return read_notes(connection, wanted)

    def seen(self, note_ids: Iterable[str], scope: Scope) -> frozenset[str]:
        wanted = list(dict.fromkeys(note_ids))
        if not wanted or sees_nothing(scope):
            return frozenset()
        visible = where(scope)
        statement = f"SELECT n.id FROM notes n WHERE n.id IN {GIVEN} AND {visible.condition}"
        with self._connections.reading() as connection:
            found = connection.execute(statement, (listed(wanted), *visible.parameters))
            return frozenset(note_id for (note_id,) in found)

    def aliases(self, spaces: Iterable[str], names: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        wanted, named = sorted(set(spaces)), sorted(set(names))
        if not wanted or not named:
            return {}
        statement = (
            f"SELECT name, others FROM aliases WHERE space IN {GIVEN} AND name IN {GIVEN}"
            " ORDER BY space, place"
        )
        merged: dict[str, tuple[str, ...]] = {}
        with self._connections.reading() as connection:
            for name, others in connection.execute(statement, (listed(wanted), listed(named))):
                merged[name] = tuple(dict.fromkeys((*merged.get(name, ()), *unpacked(others))))
        return merged


def read_notes(connection: sqlite3.Connection, note_ids: Iterable[str]) -> dict[str, Note]:
    given = (listed(note_ids),)
    links: dict[str, list[tuple[str, str]]] = {}
    statement = (
        "SELECT n.id, l.target, l.kind FROM notes n JOIN links l ON l.source = n.row"
        f" WHERE n.id IN {GIVEN} ORDER BY l.source, l.place"
    )
    for note_id, target, kind in connection.execute(statement, given):
        links.setdefault(note_id, []).append((target, kind))
    found = connection.execute(
        f"SELECT t.text, {NOTE_COLUMNS} FROM notes n JOIN texts t ON t.note = n.row"
        f" WHERE n.id IN {GIVEN}",
        given,
    )
    return {
        columns[0]: note_of(columns, text, links.get(columns[0], ())) for text, *columns in found
    }


def _facts(columns: tuple[object, ...], pointing: list[int] | None) -> Facts:
    backlinks, superseded = pointing or (0, 0)
    return facts_of(columns, backlinks, bool(superseded))
