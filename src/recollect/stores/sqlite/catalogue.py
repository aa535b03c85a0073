"""How much is in the file."""

import sqlite3
from pathlib import Path
from typing import Final

from recollect.model.inventory import Counts, ModelCount, SpaceCount
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.fresh import Indexes, models
from recollect.stores.sqlite.sight import spaces

_RESOLVED: Final = (
    "SELECT count(*) FROM links l JOIN notes s ON s.row = l.source"
    " JOIN notes t ON t.id = l.target AND t.space = s.space"
)

_BY_SPACE: Final = (
    "SELECT n.space, count(DISTINCT n.row), count(*) FROM notes n JOIN passages p ON p.note = n.row"
    " GROUP BY n.space ORDER BY n.space"
)


class SQLiteCatalogue:
    def __init__(self, connections: Connections, indexes: Indexes) -> None:
        self._connections = connections
        self._indexes = indexes

    def spaces(self) -> tuple[str, ...]:
        with self._connections.reading() as connection:
            return tuple(sorted(spaces(connection)))

    def by_space(self) -> tuple[SpaceCount, ...]:
        with self._connections.reading() as connection:
            return tuple(SpaceCount(*columns) for columns in connection.execute(_BY_SPACE))

    def models(self) -> tuple[ModelCount, ...]:
        with self._connections.reading() as connection:
            return _models(connection)

    def counts(self) -> Counts:
        """The log beside the file counts as part of it."""
        path = self._connections.path
        with self._connections.reading() as connection:
            links, resolved = _count(connection, "links"), _number(connection, _RESOLVED)
            return Counts(
                spaces=tuple(sorted(spaces(connection))),
                notes=_count(connection, "notes"),
                passages=_count(connection, "passages"),
                links_resolved=resolved,
                links_unresolved=links - resolved,
                models=_models(connection),
                store_bytes=_sizes(path, Path(f"{path}-wal")),
                index_bytes=_sizes(*self._indexes.directory.rglob("*")),
            )


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
