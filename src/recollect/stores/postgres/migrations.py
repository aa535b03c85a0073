"""An empty schema in, one of today out; an older one in, the same out: numbered steps.

Each step is one transaction under a lock of the whole store: it may run twice, and two processes may
open the store at once. `meta` says how many steps a schema has taken.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from psycopg import errors, sql

from recollect.model.errors import BadInput, StoreError
from recollect.stores.postgres.connections import Connection, Connections, unhurried
from recollect.stores.postgres.schema import TABLES, WHOLE, creating, indexing

Step = Callable[[int], Iterator[str]]
"""How many partitions in, statements out."""

MOST_PARTITIONS: Final = 1024
_LONGEST_NAME: Final = 48


def _first(partitions: int) -> Iterator[str]:
    yield from (statement for statement in WHOLE.split(";") if statement.strip())
    for table in TABLES:
        yield from creating(table, partitions)


def _notes_by_project_and_tag(_: int) -> Iterator[str]:
    yield from indexing(next(table for table in TABLES if table.name == "notes"))


STEPS: Final[Sequence[Step]] = (_first, _notes_by_project_and_tag)

_META: Final = "CREATE TABLE IF NOT EXISTS meta (name text PRIMARY KEY, value text NOT NULL)"
_NO_VECTOR: Final = (
    "the server has no extension 'vector' in this database; a superuser, or on a managed service the"
    " database's owner, runs: CREATE EXTENSION vector (where it is not installed: pgvector, 0.8 or"
    " later)"
)


def migrate(
    connections: Connections,
    partitions: int,
    steps: Sequence[Step] = STEPS,
    *,
    create: bool = True,
) -> None:
    if not 1 <= partitions <= MOST_PARTITIONS:
        raise BadInput("partitions", partitions, f"is not from 1 to {MOST_PARTITIONS}")
    check_schema_name(connections.schema)
    taken = connections.read(lambda connection: version(connection, connections.schema))
    if taken > len(steps):
        raise _newer(connections, taken, len(steps))
    if not taken and not create:
        place = f"schema {connections.schema} of {connections.address.shown}"
        raise StoreError(f"there is no store in {place} yet; make one: recollect index FOLDER")
    while taken < len(steps):
        taken = connections.write(
            lambda connection: _step(connection, connections, partitions, steps)
        )


def check_schema_name(name: str) -> None:
    if not name or len(name.encode()) > _LONGEST_NAME or "\x00" in name or name.startswith("pg_"):
        raise BadInput("schema", name, f"is no name of a schema of up to {_LONGEST_NAME} bytes")


def _step(
    connection: Connection, connections: Connections, partitions: int, steps: Sequence[Step]
) -> int:
    unhurried(connection)
    lock(connection, connections.schema)
    taken = version(connection, connections.schema)
    if taken > len(steps):
        raise _newer(connections, taken, len(steps))
    if taken == len(steps):
        return taken  # another process was quicker
    if taken == 0:
        _prepare(connection, connections.schema, partitions)
    for statement in steps[taken](partitions_of(connection)):
        connection.execute(statement)
    keep_meta(connection, "version", str(taken + 1))
    return taken + 1


def _prepare(connection: Connection, schema: str, partitions: int) -> None:
    connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(schema)))
    _extension(connection)
    connection.execute(_META)
    connection.execute(
        "INSERT INTO meta VALUES ('partitions', %s) ON CONFLICT DO NOTHING", (str(partitions),)
    )


def _extension(connection: Connection) -> None:
    """Makes the extension where the role may; most may not, and are told who may."""
    if connection.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'").fetchone():
        return
    try:
        with connection.transaction():
            connection.execute("CREATE EXTENSION vector WITH SCHEMA public")
    except (errors.InsufficientPrivilege, errors.FeatureNotSupported, errors.UndefinedFile):
        raise StoreError(_NO_VECTOR) from None


def lock(connection: Connection, schema: str) -> None:
    """Held until the transaction ends: one at a time changes the tables of a schema."""
    connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 52))", (schema,))


def keep_meta(connection: Connection, name: str, value: str) -> None:
    connection.execute(
        "INSERT INTO meta VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (name, value),
    )


def read_meta(connection: Connection, name: str) -> str | None:
    found = connection.execute("SELECT value FROM meta WHERE name = %s", (name,)).fetchone()
    return None if found is None else str(found[0])


def partitions_of(connection: Connection) -> int:
    return int(read_meta(connection, "partitions") or 1)


def version(connection: Connection, schema: str) -> int:
    """How many steps this schema has taken; 0 where there is none yet."""
    statement = "SELECT to_regclass(format('%%I.meta', %s::text))"
    if connection.execute(statement, (schema,)).fetchone() == (None,):
        return 0
    return int(read_meta(connection, "version") or 0)


def _newer(connections: Connections, taken: int, known: int) -> StoreError:
    return StoreError(
        f"schema {connections.schema} of {connections.address.shown} was written by a newer Recollect"
        f" (version {taken}, this one knows {known}); update Recollect to open it"
    )
