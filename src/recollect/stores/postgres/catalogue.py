"""How much there is."""

from typing import Final

from recollect.model.inventory import Counts, ModelCount, SpaceCount
from recollect.stores.postgres.connections import Connection, Connections

_MODELS: Final = (
    "SELECT m.identity, m.dimensions, coalesce(sum(c.vectors), 0)::bigint FROM models m"
    " LEFT JOIN coverage c ON c.model = m.number GROUP BY m.number ORDER BY m.identity"
)
_RESOLVED: Final = (
    "SELECT count(*) FROM links l JOIN notes t ON t.space = l.space AND t.id = l.target"
)
_BYTES: Final = (
    "SELECT coalesce(sum(pg_table_size(oid)), 0)::bigint, coalesce(sum(pg_indexes_size(oid)), 0)::bigint"
    " FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
)

_BY_SPACE: Final = (
    "SELECT s.space, (SELECT count(*) FROM notes n WHERE n.space = s.space), s.passages FROM spaces s"
    " WHERE s.passages > 0 ORDER BY s.space"
)


class PostgresCatalogue:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def spaces(self) -> tuple[str, ...]:
        return self._connections.read(spaces)

    def by_space(self) -> tuple[SpaceCount, ...]:
        found = self._connections.read(lambda connection: connection.execute(_BY_SPACE).fetchall())
        return tuple(SpaceCount(*columns) for columns in found)

    def models(self) -> tuple[ModelCount, ...]:
        return self._connections.read(_models)

    def counts(self) -> Counts:
        return self._connections.search(_counts)


def spaces(connection: Connection) -> tuple[str, ...]:
    """A note has at least one passage, so that a space with a note has some."""
    found = connection.execute("SELECT space FROM spaces WHERE passages > 0 ORDER BY space")
    return tuple(space for (space,) in found)


def _models(connection: Connection) -> tuple[ModelCount, ...]:
    return tuple(ModelCount(*columns) for columns in connection.execute(_MODELS))


def _counts(connection: Connection) -> Counts:
    links = number(connection, "SELECT count(*) FROM links")
    resolved = number(connection, _RESOLVED)
    sizes = connection.execute(_BYTES).fetchone() or (0, 0)
    return Counts(
        spaces=spaces(connection),
        notes=number(connection, "SELECT count(*) FROM notes"),
        passages=number(connection, "SELECT coalesce(sum(passages), 0)::bigint FROM spaces"),
        links_resolved=resolved,
        links_unresolved=links - resolved,
        models=_models(connection),
        store_bytes=sizes[0],
        index_bytes=sizes[1],
    )


def number(connection: Connection, statement: str) -> int:
    found = connection.execute(statement).fetchone()
    return int(found[0]) if found else 0
