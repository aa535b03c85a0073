"""Looking after the file: the doctor, the repair, the backup, the catalogue, the pool's index."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from tests.building import EVERYTHING, NOW, coverage, days_ago, embed_all, hit_ids, note, put

from recollect.encoders.hashing import Hashing
from recollect.engine.learn import document_of
from recollect.model.errors import BadInput, StoreError
from recollect.model.inventory import Finding
from recollect.model.note import Link, Passage
from recollect.model.query import Scope
from recollect.model.tree import Word
from recollect.stores.sqlite import SQLiteStore, sqlite_store
from recollect.stores.sqlite.backup import backup
from recollect.stores.sqlite.doctor import examine
from recollect.stores.sqlite.repair import repair
from recollect.stores.sqlite.vectors import pool_query


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[SQLiteStore]:
    with sqlite_store(tmp_path / "store.db") as store:
        put(
            store.store,
            *(note(f"n{n:02}", f"alpha word{n}", path=f"f/n{n}.md", age_days=n) for n in range(30)),
        )
        yield store


def errors(opened: SQLiteStore, *, thorough: bool = True) -> list[Finding]:
    return [each for each in examine(opened, thorough=thorough) if each.level == "error"]


def spoil(opened: SQLiteStore, *statements: str) -> None:
    with closing(sqlite3.connect(opened.path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def test_a_sound_store_has_only_good_findings(opened: SQLiteStore) -> None:
    embed_all(opened.store)
    for thorough in (False, True):
        found = examine(opened, thorough=thorough)
        assert {each.level for each in found} == {"ok"}
        assert any("nonsense" in each.what for each in found)


def test_what_waits_to_be_embedded_is_a_warning(opened: SQLiteStore) -> None:
    embed_all(opened.store)
    put(opened.store, note("late"))
    [finding] = [each for each in examine(opened) if each.level == "warn"]
    assert "30 of 31 passages are embedded" in finding.what


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM passage_words WHERE rowid < 5",
        "UPDATE passage_words SET text = '', text_stems = ''",
        "DELETE FROM slugs",
        "UPDATE clock SET passages = 3",
        "UPDATE embedded SET vectors = 7",
        "UPDATE models SET vectors = 7",
        "UPDATE vectors SET vector = x'00000000' WHERE row < 4",
        "UPDATE passage_words_content SET c3 = 'other words'",
    ],
)
def test_derived_data_that_is_wrong_is_found_and_repaired(opened: SQLiteStore, damage: str) -> None:
    embed_all(opened.store)
    notes = opened.store.shelf.notes(opened.store.listing.ids_in(EVERYTHING))
    before = opened.store.words.find(Word("word7"), EVERYTHING, 50)
    spoil(opened, damage)
    assert errors(opened) != []
    repair(opened)
    assert errors(opened) == []
    assert opened.store.words.find(Word("word7"), EVERYTHING, 50) == before
    assert opened.store.shelf.notes(opened.store.listing.ids_in(EVERYTHING)) == notes
    assert opened.store.slugs.resembling(["n7"], EVERYTHING, 3)


def test_rows_that_belong_to_nothing_are_found(opened: SQLiteStore) -> None:
    spoil(opened, "DELETE FROM texts WHERE note = 1", "DELETE FROM notes WHERE row = 2")
    found = " ".join(each.what for each in errors(opened))
    assert "1 notes without texts" in found
    assert "belong to nothing" in found


def test_a_damaged_page_is_found_and_the_rest_is_not_asked(opened: SQLiteStore) -> None:
    opened.close()
    content = bytearray(opened.path.read_bytes())
    for start in range(4096, len(content), 4096):
        if b"alpha word" in content[start : start + 4096]:
            content[start : start + 100] = b"\x55" * 100
    opened.path.write_bytes(content)
    with sqlite_store(opened.path) as damaged:
        found = errors(damaged)
        assert found
        assert all(each.way_out for each in found)


def test_vectors_that_are_all_the_same_are_found(opened: SQLiteStore) -> None:
    assert opened.store.vector_writer
    same = {f"n{n:02}#0": np.full(8, 0.5, np.float32) for n in range(30)}
    opened.store.vector_writer.put_vectors("stuck", same)
    assert any("answered alike by stuck" in each.what for each in errors(opened))


def test_a_vector_with_nan_is_refused(opened: SQLiteStore) -> None:
    assert opened.store.vector_writer
    with pytest.raises(BadInput):
        opened.store.vector_writer.put_vectors("m", {"n00#0": np.full(4, np.nan, np.float32)})


def test_a_passage_that_changed_while_it_was_embedded_goes_on_waiting(opened: SQLiteStore) -> None:
    vectors = opened.store.vector_writer
    assert vectors
    handed_out = vectors.without_vector("m", 100)
    assert len(handed_out) == 30
    put(opened.store, note("n00", "something else"), note("n01", "alpha word1", tags=("t",)))
    opened.store.writer.remove(["n02"])
    made = {passage.id: np.ones(4, np.float32) for passage in handed_out}
    vectors.put_vectors("m", made)
    assert [passage.id for passage in vectors.without_vector("m", 100)] == ["n00#0"]
    assert coverage(opened.store, "m") == (28, 29)


def test_waiting_passages_are_all_handed_out_in_batches(opened: SQLiteStore) -> None:
    vectors = opened.store.vector_writer
    assert vectors
    assert vectors.without_vector("m", 7) == vectors.without_vector("m", 7)
    seen = []
    while batch := vectors.without_vector("m", 7):
        seen += [passage.id for passage in batch]
        vectors.put_vectors("m", {passage.id: np.ones(4, np.float32) for passage in batch})
        if len(seen) == 14:
            put(opened.store, note("n00", "changed behind its back"))
    assert sorted(seen) == sorted(["n00#0", *(f"n{n:02}#0" for n in range(30))])


def test_dropping_a_model_leaves_the_others(opened: SQLiteStore) -> None:
    embed_all(opened.store, Hashing(32))
    kept = embed_all(opened.store, Hashing(64))
    opened.indexes.publish()
    assert [model.identity for model in opened.store.catalogue.counts().models] == [
        "hashing-32",
        "hashing-64",
    ]
    assert opened.store.vector_writer
    assert opened.store.vector_writer.drop_model("hashing-32") == 30
    assert opened.store.vector_writer.drop_model("hashing-32") == 0
    assert coverage(opened.store, "hashing-32") == (0, 30)
    assert coverage(opened.store, kept.identity) == (30, 30)
    assert errors(opened) == []
    embed_all(opened.store, Hashing(32))
    assert opened.store.vectors
    query = Hashing(32).embed(["alpha word3"])[0]
    assert hit_ids(opened.store.vectors.nearest("hashing-32", query, EVERYTHING, 1)) == ["n03"]


def test_the_pool_is_read_from_its_partial_index(opened: SQLiteStore) -> None:
    """R1.6: in the order of the index, without sorting and without reading anything else."""
    embed_all(opened.store)
    for scope in (EVERYTHING, Scope.of("home", "away", since=days_ago(3))):
        statement, parameters = pool_query(1, scope, 200)
        with opened.connections.reading() as connection:
            plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall()
        told = [line for *_, line in plan]
        assert told[0] == "SEARCH e USING INDEX pool (model=?)"
        assert told[1] == "SEARCH n USING INTEGER PRIMARY KEY (rowid=?)"
        assert not [line for line in told if "B-TREE" in line or line.startswith("SCAN n")]


def test_the_pool_counts_a_note_once_and_only_while_it_has_a_vector(opened: SQLiteStore) -> None:
    store = opened.store
    assert store.vectors
    passages = tuple(Passage(f"big#{n}", "big", f"part {n}") for n in range(3))
    store.writer.put([document_of(note("big", age_days=0), passages)])
    model = embed_all(store).identity
    assert list(store.vectors.recently_accessed(model, EVERYTHING, 2)) == ["big", "n00"]
    changed = (replace(passages[0], text="new"), *passages[1:])
    store.writer.put([document_of(note("big", age_days=0), changed)])
    assert store.vectors.recently_accessed(model, EVERYTHING, 1) == ["big"]
    store.writer.put([document_of(note("big", age_days=0), (replace(passages[0], text="newer"),))])
    assert store.vectors.recently_accessed(model, EVERYTHING, 1) == ["n00"]
    store.usage.used(["n20"], NOW + timedelta(seconds=1))
    assert store.vectors.recently_accessed(model, EVERYTHING, 1) == ["n20"]
    assert errors(opened) == []


def test_the_catalogue_counts_what_is_there(opened: SQLiteStore) -> None:
    put(opened.store, note("hub", links=(Link("n01"), Link("nowhere"), Link("n02"))))
    embed_all(opened.store, Hashing(16))
    opened.indexes.publish()
    told = opened.store.catalogue.counts()
    assert (told.notes, told.passages, told.spaces) == (31, 31, ("home",))
    assert (told.links_resolved, told.links_unresolved) == (2, 1)
    assert [(one.identity, one.embedded) for one in told.models] == [("hashing-16", 31)]
    assert told.store_bytes > 10_000
    assert told.index_bytes > 1_000
    put(opened.store, note("nowhere"))
    assert opened.store.catalogue.counts().links_unresolved == 0


def test_a_backup_is_a_store_of_its_own(opened: SQLiteStore, tmp_path: Path) -> None:
    embed_all(opened.store)
    opened.store.usage.used(["n03"], NOW)
    target = tmp_path / "copies" / "copy.db"
    backup(opened, target)
    put(opened.store, note("later"))
    backup(opened, tmp_path / "copies" / "second.db")
    assert sorted(path.name for path in target.parent.iterdir()) == ["copy.db", "second.db"]
    with sqlite_store(target) as copy:
        assert copy.store.listing.ids_in(EVERYTHING) == [f"n{n:02}" for n in range(30)]
        assert copy.store.shelf.facts(["n03"]) == opened.store.shelf.facts(["n03"])
        assert errors(copy) == []
    with pytest.raises(StoreError, match="the store itself"):
        backup(opened, opened.path)


def test_a_failed_backup_leaves_the_older_copy(opened: SQLiteStore, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    backup(opened, target)
    before = target.read_bytes()
    opened.close()
    with pytest.raises(StoreError):
        backup(opened, target)
    assert target.read_bytes() == before
    assert not list(tmp_path.glob("*.part*"))
