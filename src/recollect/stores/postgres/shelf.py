"""Reading what is stored, by id, in one batch each."""

from collections.abc import Iterable, Mapping
from typing import Final

from recollect.model.note import Facts, Note, Passage
from recollect.model.query import Scope
from recollect.stores.postgres.connections import Connection, Connections
from recollect.stores.postgres.rows import (
    FACT_COLUMNS,
    NOTE_COLUMNS,
    PASSAGE_COLUMNS,
    facts_of,
    located,
    note_of,
    passage_of,
)
from recollect.stores.postgres.scope import keepable, where
from recollect.stores.seeing import sees_nothing

_FACTS: Final = (
    f"SELECT {FACT_COLUMNS}, coalesce(b.sources, 0), coalesce(b.superseded, false) FROM notes n"
    " JOIN usage u ON u.space = n.space AND u.note = n.id"
    " JOIN passages p ON p.space = n.space AND p.note = n.id AND p.place = 0"
    " LEFT JOIN (SELECT l.space, l.target, count(DISTINCT l.source) AS sources,"
    "   bool_or(l.kind = 'supersedes') AS superseded FROM links l"
    "   WHERE l.space = ANY(%(spaces)s::text[]) AND l.target = ANY(%(ids)s::text[]) AND l.source != l.target"
    "   GROUP BY l.space, l.target) b ON b.space = n.space AND b.target = n.id"
    " WHERE n.space = ANY(%(spaces)s::text[]) AND u.space = ANY(%(spaces)s::text[])"
    " AND p.space = ANY(%(spaces)s::text[])"
    " AND n.id = ANY(%(ids)s::text[])"
)
_LINKS: Final = (
    "SELECT source, target, kind FROM links WHERE space = ANY(%s::text[]) AND source = ANY(%s::text[])"
    " ORDER BY source, place"
)
_ALIASES: Final = (
    "SELECT name, others FROM aliases WHERE space = ANY(%s::text[]) AND name = ANY(%s::text[])"
    " ORDER BY space, place"
)


class PostgresShelf:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def facts(self, note_ids: Iterable[str]) -> Mapping[str, Facts]:
        wanted = list(dict.fromkeys(note_ids))
        if not wanted:
            return {}
        found = self._connections.search(lambda connection: _read_facts(connection, wanted))
        return {note_id: found[note_id] for note_id in wanted if note_id in found}

    def passages(self, passage_ids: Iterable[str]) -> Mapping[str, Passage]:
        wanted = list(dict.fromkeys(passage_ids))
        if not wanted:
            return {}
        return self._connections.search(lambda connection: read_passages(connection, wanted))

    def notes(self, note_ids: Iterable[str]) -> Mapping[str, Note]:
        wanted = list(dict.fromkeys(note_ids))
        if not wanted:
            return {}
        return self._connections.read(lambda connection: read_notes(connection, wanted))

    def seen(self, note_ids: Iterable[str], scope: Scope) -> frozenset[str]:
        wanted = keepable(set(note_ids))
        if not wanted or sees_nothing(scope):
            return frozenset()
        visible = where(scope)
        statement = f"SELECT n.id FROM notes n WHERE n.id = ANY(%s::text[]) AND {visible.condition}"
        found = self._connections.read(
            lambda connection: connection.execute(
                statement, (wanted, *visible.parameters)
            ).fetchall()
        )
        return frozenset(note_id for (note_id,) in found)

    def aliases(self, spaces: Iterable[str], names: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        wanted, named = keepable(set(spaces)), keepable(set(names))
        if not wanted or not named:
            return {}
        rows = self._connections.search(
            lambda connection: connection.execute(_ALIASES, (wanted, named)).fetchall()
        )
        merged: dict[str, tuple[str, ...]] = {}
        for name, others in rows:
            merged[name] = tuple(dict.fromkeys((*merged.get(name, ()), *others)))
        return merged


def _read_facts(connection: Connection, note_ids: Iterable[str]) -> dict[str, Facts]:
    spaces, ids = located(connection, note_ids)
    rows = connection.execute(_FACTS, {"spaces": spaces, "ids": ids}) if ids else ()
    return {
        columns[0]: facts_of(columns, backlinks, superseded=superseded)
        for *columns, backlinks, superseded in rows
    }


def read_passages(connection: Connection, passage_ids: Iterable[str]) -> dict[str, Passage]:
    spaces, ids = located(connection, passage_ids, "passage_spaces")
    statement = (
        f"SELECT {PASSAGE_COLUMNS} FROM passages p"
        " WHERE p.space = ANY(%s::text[]) AND p.id = ANY(%s::text[])"
    )
    found = map(passage_of, connection.execute(statement, (spaces, ids)) if ids else ())
    return {passage.id: passage for passage in found}


def read_notes(connection: Connection, note_ids: Iterable[str]) -> dict[str, Note]:
    spaces, ids = located(connection, note_ids)
    return notes_of(connection, spaces, ids) if ids else {}


def notes_of(connection: Connection, spaces: list[str], ids: list[str]) -> dict[str, Note]:
    links: dict[str, list[tuple[str, str]]] = {}
    for source, target, kind in connection.execute(_LINKS, (spaces, ids)):
        links.setdefault(source, []).append((target, kind))
    statement = (
        f"SELECT {NOTE_COLUMNS} FROM notes n"
        " WHERE n.space = ANY(%s::text[]) AND n.id = ANY(%s::text[])"
    )
    found = connection.execute(statement, (spaces, ids))
    return {columns[0]: note_of(columns, links.get(columns[0], ())) for columns in found}
