"""What is in the file, for people to look through: spaces, counts, lists, look-up by path."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from recollect.model.note import Note
from recollect.model.query import Scope
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.scope import sees_nothing, where
from recollect.stores.sqlite.shelf import read_notes

_LINKS: Final = (
    "SELECT count(*), count(t.row) FROM links l JOIN notes s ON s.row = l.source"
    " LEFT JOIN notes t ON t.id = l.target AND t.space = s.space"
)
_LINKING: Final = (
    "SELECT DISTINCT s.id FROM links l JOIN notes s ON s.row = l.source"
    " JOIN notes n ON n.id = l.target AND n.space = s.space"
    " WHERE n.id = ? AND s.row != n.row ORDER BY s.path, s.id"
)

_ENDING: Final = """
SELECT id FROM notes WHERE (?2 IS NULL OR space = ?2) AND (
    substr(path, -length(?1) - 1) = '/' || ?1 OR path = ?1 || '.md'
    OR substr(path, -length(?1) - 4) = '/' || ?1 || '.md'
)
"""


@dataclass(frozen=True, slots=True)
class Counts:
    notes: Mapping[str, int]
    """By space."""
    passages: int
    links: int
    dangling_links: int
    """Links to a note that is not there."""
    embedded: Mapping[str, int]
    """Passages by model."""
    sessions: int
    bytes: int


class SQLiteInventory:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def spaces(self) -> tuple[str, ...]:
        with self._connections.reading() as connection:
            rows = connection.execute("SELECT DISTINCT space FROM notes ORDER BY space")
            return tuple(space for (space,) in rows)

    def counts(self) -> Counts:
        with self._connections.reading() as connection:
            by_space = "SELECT space, count(*) FROM notes GROUP BY space ORDER BY space"
            links, resolved = connection.execute(_LINKS).fetchone()
            return Counts(
                notes=dict(connection.execute(by_space).fetchall()),
                passages=connection.execute("SELECT count(*) FROM passages").fetchone()[0],
                links=links,
                dangling_links=links - resolved,
                embedded=dict(
                    connection.execute("SELECT identity, vectors FROM models").fetchall()
                ),
                sessions=connection.execute("SELECT count(*) FROM sessions").fetchone()[0],
                bytes=self._connections.path.stat().st_size,
            )

    def recent(self, scope: Scope, limit: int, offset: int = 0) -> Sequence[Note]:
        """The notes in scope, changed last first."""
        if sees_nothing(scope):
            return ()
        condition, parameters = where(scope)
        statement = (
            f"SELECT n.id FROM notes n WHERE {condition}"
            " ORDER BY n.modified_at DESC, n.id LIMIT ? OFFSET ?"
        )
        with self._connections.reading() as connection:
            rows = connection.execute(statement, (*parameters, limit, offset))
            ids = [note_id for (note_id,) in rows]
            notes = read_notes(connection, ids) if ids else {}
        return [notes[note_id] for note_id in ids]

    def at_path(self, path: str, space: str | None = None) -> tuple[str, ...]:
        """The ids of the notes at this path, or else of those whose path ends so."""
        with self._connections.reading() as connection:
            statement = "SELECT id FROM notes WHERE (?2 IS NULL OR space = ?2) AND path = ?1"
            found = connection.execute(statement, (path, space)).fetchall()
            if not found:
                found = connection.execute(_ENDING, (path, space)).fetchall()
        return tuple(note_id for (note_id,) in found)

    def linking_to(self, note_id: str) -> tuple[str, ...]:
        with self._connections.reading() as connection:
            return tuple(one for (one,) in connection.execute(_LINKING, (note_id,)))

    def waiting(self, model: str) -> int:
        """How many passages have no vector of this model."""
        statement = (
            "SELECT (SELECT count(*) FROM passages)"
            " - coalesce((SELECT vectors FROM models WHERE identity = ?), 0)"
        )
        with self._connections.reading() as connection:
            return int(connection.execute(statement, (model,)).fetchone()[0])
