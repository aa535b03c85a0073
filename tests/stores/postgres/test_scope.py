"""A narrow scope is found by its indexes, however large the store."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from recollect.model.query import Scope
from recollect.stores.postgres import PostgresStore, postgres_store
from recollect.stores.postgres.connections import Connection
from recollect.stores.postgres.scope import where
from tests.building import NOW, note, put
from tests.stores.postgres.server import Server

NOTES = 2_000


@pytest.fixture(scope="module")
def opened(plain_server: Server) -> Iterator[PostgresStore]:
    with postgres_store(plain_server.address, schema="narrow", partitions=1) as opened:
        put(
            opened.store,
            *(
                note(
                    f"n{n}",
                    "word",
                    session=f"s{n % 200}" if n % 2 else None,
                    project=None if n % 2 else f"p{n % 400}",
                    tags=(f"t{n % 200}",),
                    age_days=n / 10,
                )
                for n in range(NOTES)
            ),
        )
        for n in range(1, 200, 2):
            opened.store.sessions.open_session("home", f"s{n}", f"p{n // 20}")
        opened.connections.write(lambda connection: connection.execute("ANALYZE notes"))
        yield opened


@pytest.mark.parametrize(
    ("scope", "index"),
    [
        (Scope.of("home", sessions=["s7"]), "session"),
        (Scope.of("home", projects=["p8"]), "project"),
        (Scope.of("home", tags=["t7"]), "tags"),
        (Scope.of("home", since=NOW - timedelta(days=1)), "modified_at"),
    ],
)
def test_notes_are_found_by_an_index(opened: PostgresStore, scope: Scope, index: str) -> None:
    seen = where(scope)

    def plan(connection: Connection) -> str:
        statement = f"EXPLAIN SELECT n.id FROM notes n WHERE {seen.condition}"
        return "\n".join(row for (row,) in connection.execute(statement, seen.parameters))

    read = opened.connections.read(plan)
    assert f"_{index}_" in read, read
    assert "Seq Scan on notes" not in read
    assert 0 < len(opened.store.listing.ids_in(scope)) < NOTES / 10
