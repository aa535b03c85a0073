"""What is remembered of a space's files between two visits: one line of text per path."""

from collections.abc import Iterable, Mapping

from recollect.stores.sqlite.connection import Connections


class SQLiteFiles:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def files(self, space: str) -> Mapping[str, str]:
        with self._connections.reading() as connection:
            rows = connection.execute("SELECT path, record FROM files WHERE space = ?", (space,))
            return dict(rows.fetchall())

    def remember_files(self, space: str, lines: Mapping[str, str]) -> None:
        kept = [(space, path, line) for path, line in lines.items()]
        with self._connections.writing() as connection:
            connection.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?)", kept)

    def forget_files(self, space: str, paths: Iterable[str]) -> None:
        gone = [(space, path) for path in paths]
        if not gone:
            return
        with self._connections.writing() as connection:
            connection.executemany("DELETE FROM files WHERE space = ? AND path = ?", gone)
