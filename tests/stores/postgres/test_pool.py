"""R1.6: a partial index serves the notes accessed last, without reading any other."""

from collections.abc import Iterator

import pytest

from recollect.encoders.hashing import Hashing
from recollect.model.query import Scope
from recollect.stores.postgres import PostgresStore
from recollect.stores.postgres.connections import Connection
from recollect.stores.postgres.models import model_named
from recollect.stores.postgres.vectors import pool_query
from tests.building import days_ago, embed_all, note, put
from tests.stores.postgres.emptying import empty

MODEL = Hashing(8)


@pytest.fixture(scope="module")
def opened(plain_postgres: PostgresStore) -> Iterator[PostgresStore]:
    empty(plain_postgres)
    put(plain_postgres.store, *(note(f"n{n:04}", age_days=n % 365) for n in range(1_500)))
    put(plain_postgres.store, *(note(f"far{n}", space="away", age_days=n) for n in range(20)))
    embed_all(plain_postgres.store, MODEL)
    plain_postgres.publish()
    yield plain_postgres
    empty(plain_postgres)


def plan(opened: PostgresStore, scope: Scope, count: int) -> str:
    def explain(connection: Connection) -> str:
        known = model_named(connection, MODEL.identity)
        assert known is not None
        statement, parameters = pool_query(known.number, scope, count)
        rows = connection.execute(f"EXPLAIN (ANALYZE) {statement}", parameters)
        return "\n".join(line for (line,) in rows)

    return opened.connections.read(explain)


def test_the_pool_is_read_in_the_order_of_its_index(opened: PostgresStore) -> None:
    told = plan(opened, Scope.of("home"), 200)
    assert "Index" in told
    assert "embedded_1_space_model_accessed_at_note_idx" in told or (
        "embedded_0_space_model_accessed_at_note_idx" in told
    )
    assert "Seq Scan" not in told


def test_the_index_is_partial(opened: PostgresStore) -> None:
    statement = (
        "SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema()"
        " AND tablename = 'embedded_0' AND indexdef LIKE '%%accessed_at DESC%%'"
    )
    found = opened.connections.read(lambda to: to.execute(statement).fetchone())
    assert found is not None
    assert "WHERE (vectors > 0)" in found[0]


def test_several_spaces_are_read_side_by_side(opened: PostgresStore) -> None:
    vectors = opened.store.vectors
    assert vectors
    opened.store.usage.shown(["far7", "n1234"], days_ago(-1))
    opened.store.usage.recalled(["far9"], days_ago(-2))
    recent = vectors.recently_accessed(MODEL.identity, Scope.of("home", "away"), 4)
    assert list(recent[:3]) == ["far9", "far7", "n1234"]
    many = Scope.of("home", "away", *(f"nowhere{n}" for n in range(20)))
    assert list(vectors.recently_accessed(MODEL.identity, many, 3)) == list(recent[:3])
