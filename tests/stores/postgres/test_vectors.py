"""Exact up to where that is quick, by an HNSW index beyond; a narrow scope never starves."""

from collections.abc import Iterator

import numpy as np
import pytest

from recollect.encoders.hashing import Hashing
from recollect.engine.learn import embed_waiting
from recollect.model.query import Scope
from recollect.ports import Vector
from recollect.stores.postgres import PostgresStore
from recollect.stores.postgres.connections import Connection
from recollect.stores.postgres.models import model_named
from recollect.stores.postgres.plans import in_index_order
from recollect.stores.postgres.publishing import publish
from recollect.stores.postgres.vectors import PostgresVectors, index_query, look_wide
from recollect.stores.postgres.wire import literal, received, sent
from recollect.stores.sqlite import sqlite_store
from tests.building import EVERYTHING, embed_all, hit_ids, note, put
from tests.stores.postgres.emptying import empty

MODEL = Hashing(48)
NOTES = 400


@pytest.fixture(scope="module")
def opened(plain_postgres: PostgresStore) -> Iterator[PostgresStore]:
    empty(plain_postgres)
    put(
        plain_postgres.store,
        *(
            note(
                f"n{n:03}",
                f"word{n % 41} other{n % 17} third{n % 7}",
                session="few" if n % 80 == 0 else "many",
            )
            for n in range(NOTES)
        ),
        *(note(f"away{n}", f"word{n}", space="away") for n in range(5)),
    )
    assert plain_postgres.store.vector_writer
    embed_waiting(plain_postgres.store.vector_writer, MODEL)
    publish(plain_postgres.connections, grown=100)
    yield plain_postgres
    empty(plain_postgres)


@pytest.fixture
def by_index(opened: PostgresStore) -> PostgresVectors:
    return PostgresVectors(opened.connections, exact=50, narrow=20)


def query(text: str = "word3 other5 third2") -> Vector:
    made: Vector = MODEL.embed([text])[0]
    return made


def indexes_of(connection: Connection) -> list[str]:
    statement = (
        "SELECT indexname FROM pg_indexes WHERE indexdef LIKE '%%USING hnsw%%'"
        " AND schemaname = current_schema()"
    )
    return [name for (name,) in connection.execute(statement)]


def test_an_index_is_built_only_where_a_partition_has_grown(opened: PostgresStore) -> None:
    [name] = opened.connections.read(indexes_of)
    known = opened.connections.read(lambda to: model_named(to, MODEL.identity))
    assert known is not None
    assert name.startswith(known.table)
    assert name.endswith("_hnsw")
    publish(opened.connections, grown=100)
    assert opened.connections.read(indexes_of) == [name]


def test_the_index_finds_what_comparing_all_finds(
    opened: PostgresStore, by_index: PostgresVectors
) -> None:
    exact = PostgresVectors(opened.connections)
    agreeing = 0
    for n in range(30):
        vector = query(f"word{n} other{n % 17}")
        found = by_index.nearest(MODEL.identity, vector, EVERYTHING, 10)
        expected = exact.nearest(MODEL.identity, vector, EVERYTHING, 10)
        agreeing += [hit.score for hit in found] == [hit.score for hit in expected]
    assert agreeing >= 28


def test_the_index_is_really_used_and_a_scope_is_inside_it(
    opened: PostgresStore, by_index: PostgresVectors
) -> None:
    scope = Scope.of("home", sessions=["many"], excluded=["n003"])
    found = by_index.nearest(MODEL.identity, query(), scope, 20)
    assert len(found) == 20
    assert "n003" not in hit_ids(found)

    def plan(connection: Connection) -> str:
        known = model_named(connection, MODEL.identity)
        assert known is not None
        look_wide(connection, 20)
        statement, parameters = index_query(known, query(), scope, 20)
        with in_index_order(connection):
            rows = connection.execute(f"EXPLAIN {statement}", parameters).fetchall()
        return "\n".join(line for (line,) in rows)

    assert "_hnsw" in opened.connections.read(plan)


def test_a_narrow_scope_is_compared_whole(by_index: PostgresVectors) -> None:
    few = Scope.of("home", sessions=["few"])
    expected = {f"n{n:03}" for n in range(0, NOTES, 80)}
    assert set(hit_ids(by_index.nearest(MODEL.identity, query(), few, 50))) == expected


def test_more_than_the_index_brings_is_found_by_comparing_all(by_index: PostgresVectors) -> None:
    found = by_index.nearest(MODEL.identity, query(), EVERYTHING, NOTES + 10)
    assert len(found) == NOTES


def test_a_zero_vector_is_at_right_angles_to_everything(opened: PostgresStore) -> None:
    zero = np.zeros(48, np.float32)
    vectors = opened.store.vectors
    assert vectors
    found = vectors.nearest(MODEL.identity, zero, EVERYTHING, 5)
    assert [(hit.note_id, hit.score) for hit in found] == [(f"n{n:03}", 0.0) for n in range(5)]


def test_similarities_are_those_of_the_embedded_store_to_the_last_bit(
    opened: PostgresStore, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with sqlite_store(tmp_path_factory.mktemp("sqlite") / "store.db") as other:
        notes = opened.store.listing.notes_in(EVERYTHING, NOTES)
        put(other.store, *notes)
        assert other.store.vector_writer
        embed_waiting(other.store.vector_writer, MODEL)
        assert opened.store.vectors
        assert other.store.vectors
        for n in range(20):
            vector = query(f"word{n} third{n % 7}")
            here = opened.store.vectors.nearest(MODEL.identity, vector, EVERYTHING, 50)
            there = other.store.vectors.nearest(MODEL.identity, vector, EVERYTHING, 50)
            assert list(here) == list(there)


def test_a_model_too_large_for_an_index_is_compared_whole(opened: PostgresStore) -> None:
    large = Hashing(4_100)
    embed_all(opened.store, large)
    publish(opened.connections, grown=1)
    assert all("hnsw" in name for name in opened.connections.read(indexes_of))
    known = opened.connections.read(lambda to: model_named(to, large.identity))
    assert known is not None
    assert not any(known.table in name for name in opened.connections.read(indexes_of))
    vectors = PostgresVectors(opened.connections, exact=5, narrow=2)
    wanted = large.embed(["word3 other3 third3"])[0]
    assert vectors.nearest(large.identity, wanted, EVERYTHING, 1)[0].note_id == "n003"
    assert opened.store.vector_writer
    assert opened.store.vector_writer.drop_model(large.identity) == NOTES + 5


def test_a_vector_comes_back_as_it_was_put() -> None:
    numbers = np.array([0.1, -3.25e-7, 1e30, 0.0], np.float32)
    assert sent(numbers) == b"\x00\x04\x00\x00" + numbers.astype(">f4").tobytes()
    assert (received(sent(numbers)) == numbers).all()
    read = [np.float32(one) for one in literal(numbers)[1:-1].split(",")]
    assert read == numbers.tolist()
