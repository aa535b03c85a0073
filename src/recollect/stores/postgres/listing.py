"""Going through what is kept, without a question."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from recollect.model.inventory import Label, LabelKind
from recollect.model.note import Note
from recollect.model.query import Scope
from recollect.stores.postgres.connections import Connection, Connections
from recollect.stores.postgres.rows import by_space
from recollect.stores.postgres.scope import PROJECT_OF, is_keepable, keepable, where
from recollect.stores.postgres.shelf import read_notes
from recollect.stores.seeing import sees_nothing

_BY_PATH: Final = (
    "SELECT n.id FROM notes n WHERE n.space = ANY(%s::text[]) AND {} ORDER BY n.path, n.id"
)
_LINKING: Final = (
    "SELECT DISTINCT source FROM links WHERE space = %(space)s AND target = %(id)s"
    " AND source != target ORDER BY source"
)

_LABELS: Final[Mapping[LabelKind, tuple[str, str]]] = {
    "tag": ("tag", "notes n CROSS JOIN LATERAL (SELECT DISTINCT unnest(n.tags) AS tag) t"),
    "session": ("n.session", "notes n"),
    "project": (PROJECT_OF, "notes n"),
}


class PostgresListing:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def notes_in(self, scope: Scope, count: int, skip: int = 0) -> Sequence[Note]:
        if count < 1 or sees_nothing(scope):
            return []
        seen = where(scope)
        statement = (
            f"SELECT n.id FROM notes n WHERE {seen.condition}"
            " ORDER BY n.modified_at DESC, n.id LIMIT %s OFFSET %s"
        )

        def read(connection: Connection) -> list[Note]:
            found = connection.execute(statement, (*seen.parameters, count, skip)).fetchall()
            ids = [note_id for (note_id,) in found]
            notes = read_notes(connection, ids)
            return [notes[note_id] for note_id in ids]

        return self._connections.read(read)

    def ids_in(self, scope: Scope) -> Sequence[str]:
        if sees_nothing(scope):
            return []
        seen = where(scope)
        return self._ids(f"SELECT n.id FROM notes n WHERE {seen.condition} ORDER BY n.id", seen[1])

    def ids_by_path(self, spaces: Iterable[str], path: str) -> Sequence[str]:
        wanted = keepable(set(spaces))
        if not wanted or not is_keepable(path):
            return []
        exact = self._ids(_BY_PATH.format("n.path = %s"), (wanted, path))
        ending = _BY_PATH.format("right(n.path, length(%s)) = %s")
        tail = f"/{path}"
        return exact or self._ids(ending, (wanted, tail, tail))

    def linking_to(self, note_id: str) -> Sequence[str]:
        def read(connection: Connection) -> list[str]:
            return [
                source
                for space in by_space(connection, [note_id])
                for (source,) in connection.execute(_LINKING, {"space": space, "id": note_id})
            ]

        return self._connections.read(read)

    def labels_in(self, kind: LabelKind, scope: Scope, count: int) -> Sequence[Label]:
        if count < 1 or sees_nothing(scope):
            return []
        (label, source), seen = _LABELS[kind], where(scope)
        statement = (
            f"SELECT label, count(*) AS notes FROM (SELECT {label} AS label FROM {source}"
            f" WHERE {seen.condition}) l WHERE label IS NOT NULL"
            ' GROUP BY label ORDER BY notes DESC, label COLLATE "C" LIMIT %s'
        )
        found = self._connections.read(
            lambda connection: connection.execute(statement, (*seen.parameters, count)).fetchall()
        )
        return [Label(*columns) for columns in found]

    def _ids(self, statement: str, parameters: tuple[object, ...]) -> list[str]:
        found = self._connections.read(
            lambda connection: connection.execute(statement, parameters).fetchall()
        )
        return [note_id for (note_id,) in found]
