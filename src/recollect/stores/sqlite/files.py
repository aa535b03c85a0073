"""What is remembered of a vault's files between two visits, a line for each, as the vault wrote it."""

from collections.abc import Iterable, Mapping

from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.listing import GIVEN, listed


class SQLiteFiles:
    """The lines are the vault's own (`FileRecord.as_json`); the store only keeps them by path."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def files(self, space: str) -> Mapping[str, str]:
        statement = "SELECT path, record FROM files WHERE space = ? ORDER BY path"
        with self._connections.reading() as connection:
            return dict(connection.execute(statement, (space,)).fetchall())

    def remember_files(self, space: str, lines: Mapping[str, str]) -> None:
        if lines:
            with self._connections.writing() as connection:
                connection.executemany(
                    "INSERT OR REPLACE INTO files VALUES (?, ?, ?)",
                    ((space, path, line) for path, line in lines.items()),
                )

    def forget_files(self, space: str, paths: Iterable[str]) -> None:
        gone = list(paths)
        if gone:
            statement = f"DELETE FROM files WHERE space = ? AND path IN {GIVEN}"
            with self._connections.writing() as connection:
                connection.execute(statement, (space, listed(gone)))
