"""pg_textsearch proposes, the formula decides: what it brings, or fails to, changes no score."""

import random
from collections.abc import Iterator

import pytest

from recollect.model.query import Scope
from recollect.model.tree import Bag, Word
from recollect.stores.memory import memory_store
from recollect.stores.postgres import PostgresStore, postgres_store
from recollect.stores.postgres.connections import Connection
from recollect.stores.postgres.migrations import keep_meta
from recollect.stores.postgres.textsearch import INDEX, adopted, spelled
from recollect.stores.postgres.words import PostgresWords
from tests.building import EVERYTHING, hit_ids, note, put
from tests.stores.postgres.server import WITH_BM25, Server, running

WORDS = [f"word{n}" for n in range(200)]
QUERY = Bag(tuple(map(Word, ("word0", "word1", "word30", "word90"))))


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


def test_a_server_that_was_restarted_still_answers_in_full(
    server: Server, opened: PostgresStore, words: PostgresWords
) -> None:
    """Its index may come back empty (ADR 0083): what is missing is then found without it."""
    before = words.find(QUERY, EVERYTHING, 300)
    server.kill()
    server.start()
    assert words.find(QUERY, EVERYTHING, 300) == before
    opened.upkeep.repair()
    assert words.find(QUERY, EVERYTHING, 300) == before


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
