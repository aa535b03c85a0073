"""What is remembered of a vault's files between two visits, a line for each, as the vault wrote it."""

from collections.abc import Iterable, Mapping

from recollect.stores.postgres.connections import Connections
from recollect.stores.postgres.scope import keepable


class PostgresFiles:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def files(self, space: str) -> Mapping[str, str]:
        statement = "SELECT path, record FROM files WHERE space = %s ORDER BY path"
        return dict(self._connections.read(lambda to: to.execute(statement, (space,)).fetchall()))

    def remember_files(self, space: str, lines: Mapping[str, str]) -> None:
        if lines:
            statement = (
                "INSERT INTO files SELECT %s, path, record"
                " FROM unnest(%s::text[], %s::text[]) g (path, record) ORDER BY path"
                " ON CONFLICT (space, path) DO UPDATE SET record = excluded.record"
            )
            given = (space, list(lines), list(lines.values()))
            self._connections.write(lambda to: to.execute(statement, given))

    def forget_files(self, space: str, paths: Iterable[str]) -> None:
        gone = keepable(set(paths))
        if gone:
            statement = "DELETE FROM files WHERE space = %s AND path = ANY(%s::text[])"
            self._connections.write(lambda to: to.execute(statement, (space, gone)))
