"""A schema is made and brought up to date once, whoever comes first; a newer one is refused."""

import subprocess
import sys
from collections.abc import Iterator
from uuid import uuid4

import psycopg
import pytest

from recollect.model.errors import BadInput, StoreError
from recollect.stores.postgres import postgres_store
from recollect.stores.postgres.address import address_of
from recollect.stores.postgres.connections import Connection, Connections
from recollect.stores.postgres.migrations import STEPS, migrate, version
from tests.building import EVERYTHING, embed_all, hit_ids, note, put
from tests.stores.postgres.server import Server

OPENING = """
import sys
from recollect.stores.postgres import postgres_store
from tests.building import note, put
with postgres_store(sys.argv[1], schema=sys.argv[2], partitions=2) as opened:
    put(opened.store, note(sys.argv[3]))
"""


@pytest.fixture
def schema(plain_server: Server) -> Iterator[str]:
    name = f"made_{uuid4().hex[:8]}"
    yield name
    with psycopg.connect(plain_server.address) as connection:
        connection.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")


def tables(connection: Connection) -> list[str]:
    statement = "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
    return sorted(name for (name,) in connection.execute(statement))


def test_two_processes_may_open_a_new_store_at_once(plain_server: Server, schema: str) -> None:
    processes = [
        subprocess.Popen([sys.executable, "-c", OPENING, plain_server.address, schema, name])  # noqa: S603
        for name in ("one", "two", "three")
    ]
    assert [process.wait(timeout=60) for process in processes] == [0, 0, 0]
    with postgres_store(plain_server.address, schema=schema) as opened:
        assert list(opened.store.listing.ids_in(EVERYTHING)) == ["one", "three", "two"]


def test_every_step_may_be_taken_twice(plain_server: Server, schema: str) -> None:
    with postgres_store(plain_server.address, schema=schema, partitions=3) as opened:
        put(opened.store, note("a", "alpha"))
        before = opened.connections.read(tables)

        def begin_again(connection: Connection) -> None:
            connection.execute("UPDATE meta SET value = '0' WHERE name = 'version'")

        opened.connections.write(begin_again)
        migrate(opened.connections, 7)
        assert opened.connections.read(tables) == before
        assert opened.connections.read(lambda to: version(to, schema)) == len(STEPS)
        assert list(opened.store.listing.ids_in(EVERYTHING)) == ["a"]


def test_a_step_that_fails_leaves_the_schema_as_it_was(plain_server: Server, schema: str) -> None:
    connections = Connections(address_of(plain_server.address), schema)
    migrate(connections, 1)
    before = connections.read(tables)

    def failing(partitions: int) -> Iterator[str]:
        yield "CREATE TABLE half (one integer)"
        yield "CREATE TABLE broken ("

    with pytest.raises(StoreError):
        migrate(connections, 1, (*STEPS, failing))
    assert connections.read(tables) == before
    connections.close()


def test_whoever_only_reads_makes_no_store(plain_server: Server, schema: str) -> None:
    with pytest.raises(StoreError, match="recollect index FOLDER"):
        postgres_store(plain_server.address, schema=schema, create=False)
    with psycopg.connect(plain_server.address) as connection:
        found = connection.execute("SELECT to_regnamespace(%s)", (schema,)).fetchone()
    assert found == (None,)
    postgres_store(plain_server.address, schema=schema, partitions=1).close()
    postgres_store(plain_server.address, schema=schema, create=False).close()


def test_a_schema_of_a_newer_recollect_is_refused(plain_server: Server, schema: str) -> None:
    with postgres_store(plain_server.address, schema=schema, partitions=1) as opened:
        opened.connections.write(
            lambda to: to.execute("UPDATE meta SET value = '99' WHERE name = 'version'")
        )
    with pytest.raises(StoreError, match="newer Recollect"):
        postgres_store(plain_server.address, schema=schema)


def test_a_server_without_pgvector_is_told_what_to_do(plain_server: Server) -> None:
    with psycopg.connect(plain_server.address, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS bare")
        connection.execute("CREATE DATABASE bare")
        connection.execute("DROP ROLE IF EXISTS guest")
        connection.execute("CREATE ROLE guest LOGIN")
    with psycopg.connect(plain_server.address.replace("/postgres?", "/bare?")) as connection:
        connection.execute("GRANT CREATE ON DATABASE bare TO guest")
    guest = plain_server.address.replace("postgres@/postgres?", "guest@/bare?")
    with pytest.raises(StoreError, match="CREATE EXTENSION vector"):
        postgres_store(guest)


def test_a_role_that_may_make_nothing_is_told_so(plain_server: Server) -> None:
    with psycopg.connect(plain_server.address, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS nobody_in_particular")
        connection.execute("CREATE ROLE nobody_in_particular LOGIN")
    stranger = plain_server.address.replace("postgres@", "nobody_in_particular@")
    with pytest.raises(StoreError, match="needs CREATE on the database"):
        postgres_store(stranger, schema="forbidden")


@pytest.mark.parametrize(
    ("given", "named"),
    [({"partitions": 0}, "partitions"), ({"schema": ""}, "schema"), ({"schema": "pg_x"}, "schema")],
)
def test_what_makes_no_schema_is_refused(
    plain_server: Server, given: dict[str, object], named: str
) -> None:
    with pytest.raises(BadInput, match=named):
        postgres_store(plain_server.address, **given)  # type: ignore[arg-type]


def test_a_table_of_another_program_is_not_taken_for_ours(
    plain_server: Server, schema: str
) -> None:
    with psycopg.connect(plain_server.address) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS public.meta (name text, value text)")
    try:
        with postgres_store(plain_server.address, schema=schema, partitions=1) as opened:
            put(opened.store, note("a", "alpha"))
            model = embed_all(opened.store)
            assert opened.store.vectors
            query = model.embed(["alpha"])[0]
            hits = opened.store.vectors.nearest(model.identity, query, EVERYTHING, 5)
            assert hit_ids(hits) == ["a"]
    finally:
        with psycopg.connect(plain_server.address) as connection:
            connection.execute("DROP TABLE public.meta")


def test_rows_are_kept_in_the_partition_of_their_space(plain_server: Server, schema: str) -> None:
    with postgres_store(plain_server.address, schema=schema, partitions=4) as opened:
        put(opened.store, *(note(f"n{n}", "word", space=f"space{n}") for n in range(12)))

        def held(connection: Connection) -> list[set[str]]:
            return [
                {space for (space,) in connection.execute(f"SELECT space FROM words_{part}")}
                for part in range(4)
            ]

        parts = opened.connections.read(held)
        assert len([part for part in parts if part]) > 1
        assert sum(map(len, parts)) == 12

        def plan(connection: Connection) -> str:
            rows = connection.execute(
                "EXPLAIN SELECT id FROM words WHERE space = ANY(%s::text[]) AND words @@ 'word'",
                (["space3"],),
            )
            return "\n".join(line for (line,) in rows)

        read = opened.connections.read(plan)
        assert len({part for part in range(4) if f"words_{part}" in read}) == 1
