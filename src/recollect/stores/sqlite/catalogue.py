"""What is in the file, as a person asks: how much, which notes, which models."""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from recollect.model.note import Note
from recollect.model.query import Scope
from recollect.stores.sqlite import SQLiteStore
from recollect.stores.sqlite.fresh import model_named, models
from recollect.stores.sqlite.scope import sees_nothing, where
from recollect.stores.sqlite.shelf import read_notes
from recollect.stores.sqlite.sight import spaces

_RESOLVED: Final = (
    "SELECT count(*) FROM links l JOIN notes s ON s.row = l.source"
    " JOIN notes t ON t.id = l.target AND t.space = s.space"
)

_LINKING: Final = (
    "SELECT DISTINCT s.id FROM links l JOIN notes s ON s.row = l.source"
    " JOIN notes n ON n.id = l.target AND n.space = s.space"
    " WHERE n.id = ? AND s.row != n.row ORDER BY s.id"
)


@dataclass(frozen=True, slots=True)
class ModelCount:
    """How many passages have a vector of a model."""

    identity: str
    dimensions: int
    embedded: int


@dataclass(frozen=True, slots=True)
class Counts:
    """`file_bytes` includes the log beside the file; `index_bytes` is what can be derived again."""

    spaces: tuple[str, ...]
    notes: int
    passages: int
    links_resolved: int
    links_unresolved: int
    models: tuple[ModelCount, ...]
    file_bytes: int
    index_bytes: int


def counts(opened: SQLiteStore) -> Counts:
    with opened.connections.reading() as connection:
        links, resolved = _count(connection, "links"), _number(connection, _RESOLVED)
        return Counts(
            spaces=tuple(sorted(spaces(connection))),
            notes=_count(connection, "notes"),
            passages=_count(connection, "passages"),
            links_resolved=resolved,
            links_unresolved=links - resolved,
            models=_models(connection),
            file_bytes=_sizes(opened.path, Path(f"{opened.path}-wal")),
            index_bytes=_sizes(*opened.indexes.directory.rglob("*")),
        )


def spaces_in(opened: SQLiteStore) -> tuple[str, ...]:
    """Every space that has a note; unlike `counts`, as quick in a large store as in a small one."""
    with opened.connections.reading() as connection:
        return tuple(sorted(spaces(connection)))


def model_counts(opened: SQLiteStore) -> tuple[ModelCount, ...]:
    with opened.connections.reading() as connection:
        return _models(connection)


def coverage(opened: SQLiteStore, model: str) -> tuple[int, int]:
    """How many passages have a vector of this model, out of how many."""
    with opened.connections.reading() as connection:
        known = model_named(connection, model)
        return known.vectors if known else 0, _count(connection, "passages")


def drop_model(opened: SQLiteStore, model: str) -> int:
    """Forgets every vector of a model; how many there were."""
    with opened.connections.writing() as connection:
        known = model_named(connection, model)
        if known is None:
            return 0
        connection.execute("DELETE FROM models WHERE row = ?", (known.row,))
    opened.indexes.drop(known)
    return known.vectors


def list_notes(opened: SQLiteStore, scope: Scope, count: int, skip: int = 0) -> Sequence[Note]:
    """The notes of a scope, the most recently changed first."""
    if count < 1 or sees_nothing(scope):
        return []
    seen = where(scope)
    statement = (
        f"SELECT n.id FROM notes n WHERE {seen.condition}"
        " ORDER BY n.modified_at DESC, n.id LIMIT ? OFFSET ?"
    )
    with opened.connections.reading() as connection:
        found = connection.execute(statement, (*seen.parameters, count, skip)).fetchall()
        ids = [note_id for (note_id,) in found]
        notes = read_notes(connection, ids)
        return [notes[note_id] for note_id in ids]


def ids_in(opened: SQLiteStore, scope: Scope) -> Sequence[str]:
    """The ids of all notes of a scope, in their order: what forgetting a scope would remove."""
    if sees_nothing(scope):
        return []
    seen = where(scope)
    statement = f"SELECT n.id FROM notes n WHERE {seen.condition} ORDER BY n.id"
    with opened.connections.reading() as connection:
        return [note_id for (note_id,) in connection.execute(statement, seen.parameters)]


def ids_by_path(opened: SQLiteStore, spaces: Iterable[str], path: str) -> Sequence[str]:
    """The notes at exactly this path, or, where there are none, those whose path ends in it."""
    scope = where(Scope.of(*spaces))
    by_path = "SELECT n.id FROM notes n WHERE {} AND {} ORDER BY n.path, n.id"
    tail = f"/{path}"
    with opened.connections.reading() as connection:
        exact = by_path.format(scope.condition, "n.path = ?")
        found = connection.execute(exact, (*scope.parameters, path)).fetchall()
        if not found:
            ending = by_path.format(scope.condition, "substr(n.path, -length(?)) = ?")
            found = connection.execute(ending, (*scope.parameters, tail, tail)).fetchall()
    return [note_id for (note_id,) in found]


def linking_to(opened: SQLiteStore, note_id: str) -> Sequence[str]:
    """The ids of the other notes of its space that link to this one."""
    with opened.connections.reading() as connection:
        return [source for (source,) in connection.execute(_LINKING, (note_id,))]


def _models(connection: sqlite3.Connection) -> tuple[ModelCount, ...]:
    return tuple(
        ModelCount(one.identity, one.dimensions, one.vectors) for one in models(connection)
    )


def _count(connection: sqlite3.Connection, table: str) -> int:
    return _number(connection, f"SELECT count(*) FROM {table}")


def _number(connection: sqlite3.Connection, statement: str) -> int:
    return int(connection.execute(statement).fetchone()[0])


def _sizes(*paths: Path) -> int:
    return sum(path.stat().st_size for path in paths if path.is_file())
