"""Going through the notes of the file without a question."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from recollect.model.inventory import Label, LabelKind
from recollect.model.note import Note
from recollect.model.query import Scope
from recollect.stores.seeing import sees_nothing
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.scope import PROJECT_OF, where
from recollect.stores.sqlite.shelf import read_notes

_LINKING: Final = (
    "SELECT DISTINCT s.id FROM links l JOIN notes s ON s.row = l.source"
    " JOIN notes n ON n.id = l.target AND n.space = s.space"
    " WHERE n.id = ? AND s.row != n.row ORDER BY s.id"
)

_LABELS: Final[Mapping[LabelKind, tuple[str, str]]] = {
    "tag": ("l.tag", "notes n JOIN tags l ON l.note = n.row"),
    "session": ("n.session", "notes n"),
    "project": (PROJECT_OF, "notes n"),
}


class SQLiteListing:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def notes_in(self, scope: Scope, count: int, skip: int = 0) -> Sequence[Note]:
        if count < 1 or sees_nothing(scope):
            return []
        seen = where(scope)
        statement = (
            f"SELECT n.id FROM notes n WHERE {seen.condition}"
            " ORDER BY n.modified_at DESC, n.id LIMIT ? OFFSET ?"
        )
        with self._connections.reading() as connection:
            found = connection.execute(statement, (*seen.parameters, count, skip)).fetchall()
            ids = [note_id for (note_id,) in found]
            notes = read_notes(connection, ids)
            return [notes[note_id] for note_id in ids]

    def ids_in(self, scope: Scope) -> Sequence[str]:
        if sees_nothing(scope):
            return []
        seen = where(scope)
        statement = f"SELECT n.id FROM notes n WHERE {seen.condition} ORDER BY n.id"
        with self._connections.reading() as connection:
            return [note_id for (note_id,) in connection.execute(statement, seen.parameters)]

    def ids_by_path(self, spaces: Iterable[str], path: str) -> Sequence[str]:
        wanted = frozenset(spaces)
        if not wanted:
            return []
        scope = where(Scope(wanted))
        by_path = "SELECT n.id FROM notes n WHERE {} AND {} ORDER BY n.path, n.id"
        tail = f"/{path}"
        with self._connections.reading() as connection:
            exact = by_path.format(scope.condition, "n.path = ?")
            found = connection.execute(exact, (*scope.parameters, path)).fetchall()
            if not found:
                ending = by_path.format(scope.condition, "substr(n.path, -length(?)) = ?")
                found = connection.execute(ending, (*scope.parameters, tail, tail)).fetchall()
        return [note_id for (note_id,) in found]

    def linking_to(self, note_id: str) -> Sequence[str]:
        with self._connections.reading() as connection:
            return [source for (source,) in connection.execute(_LINKING, (note_id,))]

    def labels_in(self, kind: LabelKind, scope: Scope, count: int) -> Sequence[Label]:
        if count < 1 or sees_nothing(scope):
            return []
        (label, source), seen = _LABELS[kind], where(scope)
        statement = (
            f"SELECT {label} AS label, count(*) AS notes FROM {source} WHERE {seen.condition}"
            " GROUP BY label HAVING label IS NOT NULL ORDER BY notes DESC, label LIMIT ?"
        )
        with self._connections.reading() as connection:
            found = connection.execute(statement, (*seen.parameters, count))
            return [Label(name, notes) for name, notes in found]
