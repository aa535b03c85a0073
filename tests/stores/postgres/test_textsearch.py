"""pg_textsearch proposes, the formula decides: what it brings, or fails to, changes no score."""

import os
import random
import signal
from collections.abc import Callable, Iterator

import psycopg
import pytest

from recollect.model.query import Scope
from recollect.model.tree import Bag, Word
from recollect.stores.memory import memory_store
from recollect.stores.postgres import PostgresStore, postgres_store
from recollect.stores.postgres.connections import Connection
from recollect.stores.postgres.migrations import keep_meta
from recollect.stores.postgres.publishing import publish
from recollect.stores.postgres.textsearch import INDEX, adopted, spelled, whole
from recollect.stores.postgres.words import PostgresWords
from tests.building import EVERYTHING, hit_ids, note, put
from tests.stores.postgres.server import WITH_BM25, Server, has_followed, running, standby

WORDS = [f"word{n}" for n in range(200)]
QUERY = Bag(tuple(map(Word, ("word0", "word1", "word30", "word90"))))

QUERIES = [QUERY, *(Bag(tuple(map(Word, WORDS[n : n + 5]))) for n in (0, 2, 5, 11))]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(WITH_BM25) as server:
        yield server


@pytest.fixture(scope="module")
def opened(server: Server) -> Iterator[PostgresStore]:
    with postgres_store(server.address, partitions=2) as opened:
        chance = random.Random(3)
        put(
            opened.store,
            *(note(f"n{n:03}", _text(chance), title=_text(chance)) for n in range(400)),
        )
        yield opened


def _text(chance: random.Random) -> str:
    ranks = (int(chance.paretovariate(0.6)) - 1 for _ in range(chance.randint(3, 30)))
    return " ".join(WORDS[rank % len(WORDS)] for rank in ranks)


@pytest.fixture
def words(opened: PostgresStore) -> PostgresWords:
    """As in a large store: only the most telling word is looked up without the index."""
    return PostgresWords(opened.connections, first=1)


def test_a_new_store_uses_what_the_server_has(opened: PostgresStore) -> None:
    assert opened.connections.read(adopted)
    found = opened.connections.read(
        lambda to: to.execute("SELECT to_regclass(%s)", (INDEX,)).fetchone()
    )
    assert found != (None,)


def test_what_it_brings_is_scored_as_everywhere(
    opened: PostgresStore, words: PostgresWords
) -> None:
    reference = memory_store()
    put(reference, *opened.store.listing.notes_in(EVERYTHING, 1_000))
    expected = reference.words.find(QUERY, EVERYTHING, 20)
    found = words.find(QUERY, EVERYTHING, 20)
    assert len(set(found) & set(expected)) >= 18
    assert [hit for hit in found if hit in expected] == [hit for hit in expected if hit in found]
    plain = PostgresWords(opened.connections)
    assert plain.find(QUERY, EVERYTHING, 20) == expected


def test_a_scope_is_inside_its_search(words: PostgresWords) -> None:
    few = [f"n{n:03}" for n in range(0, 400, 40)]
    others = [f"n{n:03}" for n in range(400) if n % 40]
    found = words.find(QUERY, Scope.of("home", excluded=others), 50)
    assert set(hit_ids(found)) <= set(few)
    assert found == PostgresWords(words._connections).find(
        QUERY, Scope.of("home", excluded=others), 50
    )


def _restart(server: Server) -> None:
    server.stop(signal.SIGINT)
    server.start()


def _die(server: Server) -> None:
    server.kill()
    server.start()


def _lose_a_process(server: Server) -> None:
    """One that dies takes the memory of all with it; the server goes on by itself."""
    victim, witness = (psycopg.connect(server.address, autocommit=True) for _ in range(2))
    os.kill(victim.info.backend_pid, signal.SIGKILL)
    with pytest.raises(psycopg.OperationalError):
        witness.execute("SELECT pg_sleep(60)")  # cut short when the memory is given up
    victim.close()
    witness.close()
    server.wait_until_ready()


@pytest.mark.parametrize("fault", [_restart, _die, _lose_a_process])
def test_what_its_index_has_lost_is_found_without_it(
    server: Server,
    opened: PostgresStore,
    words: PostgresWords,
    fault: Callable[[Server], None],
) -> None:
    """It keeps what was written last in memory; what it brings without that looks like an answer."""
    fault(server)
    put(opened.store, note("later", "word0 word1 word30 word90"))
    exactly = PostgresWords(opened.connections, first=1_000_000)
    expected = [exactly.find(query, EVERYTHING, 20) for query in QUERIES]
    assert "later" in hit_ids(expected[0])
    assert not opened.connections.read(whole)
    assert [words.find(query, EVERYTHING, 20) for query in QUERIES] == expected
    [warning] = [one for one in opened.upkeep.examine() if one.level == "warn"]
    assert "restarted" in warning.what
    opened.publish()
    assert opened.connections.read(whole)
    assert [hit_ids(words.find(query, EVERYTHING, 1)) for query in QUERIES] == [
        hit_ids(hits[:1]) for hits in expected
    ]


def test_a_large_index_is_built_anew_only_when_asked_for(
    server: Server, opened: PostgresStore
) -> None:
    """Writers wait meanwhile."""
    _restart(server)
    publish(opened.connections, soon_built=100)
    assert not opened.connections.read(whole)
    opened.upkeep.repair()
    assert opened.connections.read(whole)


def test_on_a_standby_its_index_is_left_alone(server: Server, opened: PostgresStore) -> None:
    """What was written since the standby was made is in the primary's memory only."""
    with standby(server) as follower:
        put(opened.store, note("latest", "word0 word1 word30 word90"))
        has_followed(server, follower)
        with postgres_store(server.address, replica=follower.address) as reading:
            assert reading.connections.search(adopted)
            assert not reading.connections.search(whole)
            found = PostgresWords(reading.connections, first=1)
            exactly = PostgresWords(opened.connections, first=1_000_000)
            for query in QUERIES:
                assert found.find(query, EVERYTHING, 20) == exactly.find(query, EVERYTHING, 20)


def test_other_weights_make_its_column_anew(opened: PostgresStore) -> None:
    def weigh_differently(connection: Connection) -> None:
        keep_meta(connection, "bm25", "other weights")

    opened.connections.write(weigh_differently)
    assert not opened.connections.read(adopted)
    [warning] = [one for one in opened.upkeep.examine() if one.level == "warn"]
    assert "pg_textsearch" in warning.what
    opened.publish()
    assert opened.connections.read(adopted)


def test_a_stem_is_spelled_in_letters_only() -> None:
    for term in ("run", "42", "猫", "a'b", "#1"):
        assert spelled(term).isalpha()
        assert spelled(term).isascii()
    assert spelled("ab") != spelled("ba")
