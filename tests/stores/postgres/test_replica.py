"""A real standby that follows a real server: what is read there, and what happens when it cannot answer."""

from collections.abc import Iterator, Mapping

import psycopg
import pytest

from recollect.encoders.hashing import Hashing
from recollect.model.tree import Word
from recollect.stores.postgres import PostgresStore, postgres_store
from recollect.stores.postgres.connections import Connection
from tests.building import EVERYTHING, embed_all, hit_ids, note, put
from tests.stores.postgres.server import PLAIN, Server, has_followed, running, standby


@pytest.fixture(scope="module")
def primary() -> Iterator[Server]:
    with running(PLAIN) as server:
        yield server


@pytest.fixture
def follower(primary: Server) -> Iterator[Server]:
    with standby(primary) as server:
        yield server


@pytest.fixture
def opened(
    primary: Server, follower: Server, request: pytest.FixtureRequest
) -> Iterator[PostgresStore]:
    """With its tables on both servers."""
    place = {"schema": request.node.name[:40], "partitions": 1}
    _open(primary, place).close()
    has_followed(primary, follower)
    with _open(primary, place, follower) as opened:
        yield opened


def _open(
    primary: Server, place: Mapping[str, str | int], follower: Server | None = None
) -> PostgresStore:
    replica = follower.address if follower else None
    return postgres_store(primary.address, replica=replica, **place)  # type: ignore[arg-type]


def _follows(connection: Connection) -> bool:
    return connection.execute("SELECT pg_is_in_recovery()").fetchone() == (True,)


def _found(opened: PostgresStore) -> list[str]:
    return hit_ids(opened.store.words.find(Word("apple"), EVERYTHING, 5))


def _replay(follower: Server, how: str) -> None:
    with psycopg.connect(follower.address, autocommit=True) as connection:
        connection.execute(f"SELECT pg_wal_replay_{how}()")


def test_what_is_written_is_read_from_the_standby_once_it_has_followed(
    primary: Server, follower: Server, opened: PostgresStore
) -> None:
    assert opened.connections.search(_follows)
    assert not opened.connections.read(_follows)
    _replay(follower, "pause")
    put(opened.store, note("a", "apple"))
    embed_all(opened.store, Hashing())
    assert _found(opened) == []
    assert set(opened.store.shelf.notes(["a"])) == {"a"}  # whoever reads in order to write sees it
    assert list(opened.store.listing.ids_in(EVERYTHING)) == ["a"]
    _replay(follower, "resume")
    has_followed(primary, follower)
    assert _found(opened) == ["a"]
    wanted = Hashing().embed(["apple"])[0]
    assert opened.store.vectors is not None
    near = opened.store.vectors.nearest(Hashing().identity, wanted, EVERYTHING, 5)
    assert hit_ids(near) == ["a"]
    assert opened.connections.search(_follows)  # both were answered there


def test_a_standby_that_lacks_the_tables_is_done_without(primary: Server, follower: Server) -> None:
    _replay(follower, "pause")
    with _open(primary, {"schema": "unfollowed", "partitions": 1}, follower) as opened:
        put(opened.store, note("a", "apple"))
        assert _found(opened) == ["a"]


def test_a_standby_that_dies_is_done_without(
    primary: Server, follower: Server, opened: PostgresStore
) -> None:
    put(opened.store, note("a", "apple"))
    has_followed(primary, follower)
    assert _found(opened) == ["a"]
    follower.kill()
    put(opened.store, note("b", "apple"))
    assert sorted(_found(opened)) == ["a", "b"]


def test_a_standby_that_was_promoted_takes_over(
    primary: Server, follower: Server, opened: PostgresStore
) -> None:
    """As after the loss of the primary: the same store at another address, nothing missing."""
    put(opened.store, note("a", "apple"))
    embed_all(opened.store, Hashing())
    has_followed(primary, follower)
    follower.run("pg_ctl", "promote", "--wait", "--pgdata", str(follower.data))
    with _open(follower, {"schema": opened.connections.schema, "partitions": 1}) as promoted:
        put(promoted.store, note("b", "apple"))
        assert sorted(_found(promoted)) == ["a", "b"]
        assert [one.what for one in promoted.upkeep.examine() if one.level == "error"] == []
