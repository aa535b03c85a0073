"""What is derived may be lost or wrong: it is found, told, and derived again."""

from collections.abc import Iterator

import numpy as np
import pytest

from recollect.engine.learn import document_of
from recollect.model.errors import BadInput, StoreError
from recollect.model.inventory import Finding
from recollect.model.note import Link, Passage
from recollect.model.query import Scope
from recollect.model.tree import Word
from recollect.stores.postgres import PostgresStore
from tests.building import EVERYTHING, NOW, embed_all, hit_ids, note, put
from tests.stores.postgres.emptying import empty

HOME = Scope.of("home")


@pytest.fixture
def opened(plain_postgres: PostgresStore) -> Iterator[PostgresStore]:
    empty(plain_postgres)
    put(
        plain_postgres.store,
        *(note(f"n{n:02}", f"word{n % 7} and filler", links=(Link("n00"),)) for n in range(30)),
    )
    yield plain_postgres


def errors(opened: PostgresStore) -> list[Finding]:
    return [one for one in opened.upkeep.examine(thorough=True) if one.level == "error"]


def spoil(opened: PostgresStore, statement: str) -> None:
    opened.connections.write(lambda connection: connection.execute(statement))


def test_a_sound_store_is_told_to_be_sound(opened: PostgresStore) -> None:
    embed_all(opened.store)
    assert errors(opened) == []
    told = [one.what for one in opened.upkeep.examine(thorough=True)]
    assert "30 notes in 30 passages" in told
    assert "every passage is searched by its own words" in told
    assert any(what.startswith("Postgres 18") for what in told)


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM words WHERE id = 'n07#0'",
        "UPDATE words SET words = '' WHERE id = 'n07#0'",
        "UPDATE words SET length = 99 WHERE id = 'n07#0'",
        "UPDATE terms SET passages = passages + 1 WHERE term = 'filler'",
        "DELETE FROM terms WHERE term = 'word3'",
        "UPDATE spaces SET passages = 7",
        "DELETE FROM note_spaces WHERE id = 'n07'",
        "DELETE FROM passage_spaces WHERE id = 'n07#0'",
        "UPDATE note_spaces SET space = 'elsewhere' WHERE id = 'n07'",
        "DELETE FROM usage WHERE note = 'n07'",
        "UPDATE embedded SET vectors = 5 WHERE note = 'n07'",
        "UPDATE coverage SET vectors = 5",
        "INSERT INTO links VALUES ('home', 'ghost', 0, 'n00', 'see-also')",
    ],
)
def test_derived_data_that_is_wrong_is_found_and_repaired(
    opened: PostgresStore, damage: str
) -> None:
    embed_all(opened.store)
    before = opened.store.words.find(Word("word7"), EVERYTHING, 50)
    notes = opened.store.shelf.notes(opened.store.listing.ids_in(EVERYTHING))
    spoil(opened, damage)
    assert errors(opened) != []
    opened.upkeep.repair()
    assert errors(opened) == []
    assert opened.store.words.find(Word("word7"), EVERYTHING, 50) == before
    assert opened.store.shelf.notes(opened.store.listing.ids_in(EVERYTHING)) == notes
    assert opened.store.slugs.resembling(["n07"], EVERYTHING, 3)


def test_what_waits_to_be_embedded_is_a_warning(opened: PostgresStore) -> None:
    embed_all(opened.store)
    put(opened.store, note("late"))
    [warning] = [one for one in opened.upkeep.examine() if one.level == "warn"]
    assert warning.what.startswith("30 of 31 passages")


def test_a_backup_is_left_to_the_server(opened: PostgresStore) -> None:
    with pytest.raises(StoreError, match="pg_dump --schema=contract"):
        opened.upkeep.backup("copy.dump")


def test_a_passage_that_changed_while_it_was_embedded_goes_on_waiting(
    opened: PostgresStore,
) -> None:
    vectors = opened.store.vector_writer
    assert vectors
    handed_out = vectors.without_vector("m", 100)
    put(opened.store, note("n00", "another text"))
    vectors.put_vectors("m", {passage.id: np.ones(4, np.float32) for passage in handed_out})
    assert [passage.id for passage in vectors.without_vector("m", 100)] == ["n00#0"]


def test_waiting_passages_are_all_handed_out_in_batches(opened: PostgresStore) -> None:
    put(opened.store, *(note(f"x{n}", space=f"space{n % 3}") for n in range(10)))
    vectors = opened.store.vector_writer
    assert vectors
    seen: set[str] = set()
    while waiting := vectors.without_vector("m", 7):
        seen.update(passage.id for passage in waiting)
        vectors.put_vectors("m", {one.id: np.ones(4, np.float32) for one in waiting})
    assert len(seen) == 40
    assert errors(opened) == []


def test_a_note_may_change_its_space_and_keeps_its_vectors_and_its_usage(
    opened: PostgresStore,
) -> None:
    model = embed_all(opened.store)
    opened.store.usage.used(["n03"], NOW)
    put(opened.store, note("n03", "word3 and filler", links=(Link("n00"),), space="elsewhere"))
    away = Scope.of("elsewhere")
    assert opened.store.vectors
    query = model.embed(["word3 and filler"])[0]
    assert opened.store.vectors.missing(model.identity) == 0
    assert hit_ids(opened.store.vectors.nearest(model.identity, query, away, 9)) == ["n03"]
    assert hit_ids(opened.store.words.find(Word("word3"), away, 9)) == ["n03"]
    assert "n03" not in hit_ids(opened.store.words.find(Word("word3"), HOME, 30))
    assert opened.store.shelf.facts(["n03"])["n03"].usage.access_count == 1
    assert opened.store.catalogue.spaces() == ("elsewhere", "home")
    assert errors(opened) == []


def test_putting_again_and_again_keeps_the_counts(opened: PostgresStore) -> None:
    embed_all(opened.store)
    long = note("long", "one two three")
    pieces = tuple(Passage(f"long#{n}", "long", f"piece number {n}") for n in range(5))
    opened.store.writer.put([document_of(long, pieces)])
    opened.store.writer.put([document_of(long, tuple(reversed(pieces[:3])))])
    put(opened.store, note("n04", "word4 and filler", title="renamed"))
    opened.store.writer.remove(["n05", "n06"])
    assert errors(opened) == []
    assert hit_ids(opened.store.words.find(Word("renamed"), HOME, 9)) == ["n04"]
    assert opened.store.shelf.facts(["long"])["long"].lead_passage == "long#2"


def test_a_passage_of_another_note_keeps_its_place(opened: PostgresStore) -> None:
    thief = document_of(note("thief"), (Passage("n00#0", "thief", "stolen"),))
    with pytest.raises(BadInput, match="another note's passage"):
        opened.store.writer.put([thief])
    assert opened.store.shelf.passages(["n00#0"])["n00#0"].note_id == "n00"
    assert errors(opened) == []


def test_a_name_that_postgres_cannot_keep_is_refused_and_nothing_is_kept(
    opened: PostgresStore,
) -> None:
    for bad in (note("bad\x00"), note("bad", "half \ud800 pair"), note("bad", session="\x00")):
        with pytest.raises(BadInput):
            put(opened.store, note("good"), bad)
    assert opened.store.shelf.notes(["good", "bad", "\x00", "\ud800"]) == {}
    assert opened.store.writer.remove(["\x00"]) == 0
    nowhere = Scope.of("home", sessions=["\x00"])
    assert list(opened.store.words.find(Word("word1"), nowhere, 5)) == []


def test_a_text_with_a_nul_comes_back_as_it_was_put(opened: PostgresStore) -> None:
    odd = "one\x00two \ue000 three \ue0000\x00"
    whole = note("odd", odd, title=f"T{odd}", summary=odd)
    passage = Passage("odd#0", "odd", odd, f"T{odd}", (odd,))
    document = document_of(whole, (passage,))
    opened.store.writer.put([document])
    opened.store.writer.put([document])
    assert opened.store.shelf.notes(["odd"]) == {"odd": whole}
    assert opened.store.shelf.passages(["odd#0"]) == {"odd#0": passage}
    assert opened.store.shelf.facts(["odd"])["odd"].excerpt == odd
    assert hit_ids(opened.store.words.find(Word("two"), HOME, 5)) == ["odd"]
    assert errors(opened) == []
