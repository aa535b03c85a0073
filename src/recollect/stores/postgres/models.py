"""The embedders whose vectors are kept, each in a table of its own."""

from collections.abc import Iterable
from typing import NamedTuple

from recollect.model.errors import BadInput
from recollect.stores.postgres.connections import Connection
from recollect.stores.postgres.migrations import lock, partitions_of
from recollect.stores.postgres.schema import creating, vectors_name, vectors_table


class Model(NamedTuple):
    number: int
    identity: str
    dimensions: int

    @property
    def table(self) -> str:
        return vectors_name(self.number)


def models(connection: Connection) -> list[Model]:
    found = connection.execute("SELECT number, identity, dimensions FROM models ORDER BY identity")
    return [Model(*columns) for columns in found]


def model_named(connection: Connection, identity: str) -> Model | None:
    statement = "SELECT number, identity, dimensions FROM models WHERE identity = %s"
    found = connection.execute(statement, (identity,)).fetchone()
    return Model(*found) if found else None


def model_of(connection: Connection, identity: str, sizes: Iterable[int], schema: str) -> Model:
    """The model of this identity; made where it is new. All its vectors have one size."""
    known = model_named(connection, identity)
    several = set(sizes) | ({known.dimensions} if known else set())
    if len(several) > 1:
        why = f"are different dimensions for model {identity}"
        raise BadInput("vectors", sorted(several), why)
    if known is not None:
        return known
    lock(connection, schema)
    return model_named(connection, identity) or _made(connection, identity, *several)


def _made(connection: Connection, identity: str, dimensions: int) -> Model:
    statement = "INSERT INTO models (identity, dimensions) VALUES (%s, %s) RETURNING number"
    found = connection.execute(statement, (identity, dimensions)).fetchone()
    assert found is not None  # noqa: S101 - it has just been written
    table = vectors_table(found[0], dimensions)
    for statement in creating(table, partitions_of(connection)):
        connection.execute(statement)
    return Model(found[0], identity, dimensions)
