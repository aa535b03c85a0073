"""The indexes over vectors: built where a partition has grown beyond what is quickly compared."""

from typing import Final

from recollect.stores.postgres.connections import Connection
from recollect.stores.postgres.migrations import partitions_of
from recollect.stores.postgres.models import Model, models

MOST_DIMENSIONS: Final = 4_000  # of a halfvec in an index (pgvector)
GROWN: Final = 20_000  # vectors in a partition from which an index is worth its while
_VALID: Final = (
    "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
    " WHERE i.indisvalid AND c.relnamespace = current_schema()::regnamespace"
    " AND c.relname = ANY(%s::text[])"
)


def indexed(connection: Connection, model: Model) -> bool:
    """Whether any partition has its index; where one has none, the server compares all its rows."""
    return bool(_built(connection, model, partitions_of(connection)))


def lacking(connection: Connection, model: Model, grown: int = GROWN) -> list[str]:
    """The partitions that should have an index and have none."""
    if model.dimensions > MOST_DIMENSIONS:
        return []
    partitions = partitions_of(connection)
    built = _built(connection, model, partitions)
    tables = [f"{model.table}_{part}" for part in range(partitions)]
    return [
        table
        for table in tables
        if f"{table}_hnsw" not in built and _holds(connection, table, grown)
    ]


def build(connection: Connection, model: Model, table: str) -> None:
    half = f"halfvec({model.dimensions})"
    connection.execute(
        f"CREATE INDEX IF NOT EXISTS {table}_hnsw ON {table}"
        f" USING hnsw ((vector::{half}) halfvec_cosine_ops)"
    )


def lacking_of_all(connection: Connection, grown: int = GROWN) -> list[tuple[Model, str]]:
    return [
        (model, table)
        for model in models(connection)
        for table in lacking(connection, model, grown)
    ]


def _built(connection: Connection, model: Model, partitions: int) -> set[str]:
    names = [f"{model.table}_{part}_hnsw" for part in range(partitions)]
    return {name for (name,) in connection.execute(_VALID, (names,))}


def _holds(connection: Connection, table: str, count: int) -> bool:
    statement = f"SELECT count(*) FROM (SELECT 1 FROM {table} LIMIT %s) t"
    return connection.execute(statement, (count,)).fetchone() == (count,)
