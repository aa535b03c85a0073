"""What every store must do to be moved, whole or piece by piece."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from recollect.engine.learn import document_of
from recollect.model.errors import BadInput
from recollect.model.note import Link, Passage, Session, Usage
from recollect.model.records import (
    KINDS,
    KeptNote,
    KeptVector,
    Key,
    Kind,
    Record,
    Setting,
    key_of,
    kind_of,
)
from recollect.model.tree import Word
from recollect.ports import Store, Vector
from recollect.stores.memory import memory_store
from tests.building import EVERYTHING, NOW, days_ago, hit_ids, note, put


def unit(axis: int) -> Vector:
    """A vector that every store keeps to the last bit."""
    vector = np.zeros(4, np.float32)
    vector[axis] = 1
    return vector


def told(record: Record) -> tuple[str, Key]:
    return kind_of(record), key_of(record)


def set_of(store: Store) -> dict[tuple[str, Key], Record]:
    return {told(record): record for record in store.archive.records()}


class ArchiveContract:
    """Moving everything to another store, at once or piece by piece."""

    def fill_archive(self, store: Store) -> None:
        passages = (
            Passage(
                "rich#0", "rich", "one 猫\nline", heading=("A", "B"), first_line=1, last_line=2
            ),
            Passage("rich#1", "rich", 'two "quoted"', heading=("A",), first_line=3, last_line=9),
        )
        rich = note(
            "rich",
            title="Títle",
            summary="S",
            importance=0.9,
            session="s1",
            project="p1",
            tags=("b", "a"),
            links=(Link("plain", "supersedes"), Link("nowhere")),
        )
        store.writer.put([document_of(rich, passages)])
        put(store, note("plain", "I bought a bike"), note("Zed"), note("éa", space="elsewhere"))
        store.usage.used(["rich"], NOW)
        store.writer.set_aliases("home", {"k8s": ("kubernetes", "kube"), "ml": ()})
        store.sessions.open_session("home", "s1", "p")
        store.sessions.open_session("home", "s2")
        store.settings.change_settings("global", {"k": 60, "deep": {"a": [1, None]}})
        store.settings.change_settings("~own", {"secret": 1})
        store.files.remember_files("home", {"rich.md": "1", "Plain.md": "2"})
        assert store.vector_writer
        store.vector_writer.put_vectors("m", {"rich#1": unit(3), "Zed#0": unit(1)})
        store.vector_writer.put_vectors("a", {"rich#1": unit(2)})

    def walked(self, store: Store, kind: Kind, count: int) -> list[Record]:
        found: list[Record] = []
        after: Key | None = None
        for _ in range(20):
            page = store.archive.records_after(kind, after, count)
            assert len(page.records) <= count
            found += page.records
            after = page.reached
            if after is None:
                return found
        raise AssertionError("there is no end to it")

    @pytest.mark.parametrize("count", [1, 2, 100])
    def test_walking_by_key_brings_what_one_moment_brings(self, store: Store, count: int) -> None:
        self.fill_archive(store)
        everything = list(store.archive.records())
        assert len(everything) == 4 + 2 + 2 + 2 + 2 + 3
        for kind in KINDS:
            own = sorted((one for one in everything if kind_of(one) == kind), key=key_of)
            assert self.walked(store, kind, count) == own
        assert not any(kind_of(one) == "vector" for one in store.archive.records(vectors=False))

    def test_the_stores_own_settings_are_not_given_out(self, store: Store) -> None:
        self.fill_archive(store)
        owners = {one.owner for one in store.archive.records() if isinstance(one, Setting)}
        assert owners == {"global"}
        store.archive.take([Setting("~own", "secret", 2)])
        assert store.settings.settings("~own") == {"secret": 2}

    def test_another_store_takes_it_all_in_unchanged(self, store: Store) -> None:
        """Both ways, by way of the reference store, which keeps values as they are."""
        self.fill_archive(store)
        there = memory_store()
        there.archive.take(store.archive.records())
        assert set_of(there) == set_of(store)
        names = ["rich", "plain", "Zed"]
        assert there.shelf.facts(names) == store.shelf.facts(names)
        before = set_of(store)
        store.writer.remove(names)
        store.archive.take(there.archive.records())
        assert set_of(store) == before
        assert hit_ids(store.words.find(Word("bike"), EVERYTHING, 10)) == ["plain"]
        assert store.vectors
        assert hit_ids(store.vectors.nearest("m", unit(1), EVERYTHING, 1)) == ["Zed"]
        assert store.sessions.sessions_around("home", "s1") == {"s1"}

    def test_what_is_taken_in_twice_is_there_once(self, store: Store) -> None:
        self.fill_archive(store)
        before = list(store.archive.records())
        store.archive.take(before)
        assert sorted(store.archive.records(), key=told) == sorted(before, key=told)

    def test_a_note_of_the_same_id_is_replaced_with_its_usage(self, store: Store) -> None:
        put(store, note("a", "before"))
        store.usage.used(["a"], NOW)
        store.archive.take([KeptNote(document_of(note("a", "after")), Usage(days_ago(3), 7, 9))])
        assert store.shelf.notes(["a"])["a"].text == "after"
        assert store.shelf.facts(["a"])["a"].usage == Usage(days_ago(3), 7, 9)
        assert list(store.words.find(Word("before"), EVERYTHING, 10)) == []

    def test_a_stream_that_breaks_leaves_nothing_behind(self, store: Store) -> None:
        self.fill_archive(store)
        before = sorted(store.archive.records(), key=told)

        def breaking() -> Iterator[Record]:
            yield KeptNote(document_of(note("new")), Usage())
            yield Session("home", "s1", "other")
            yield Setting("global", "k", 1)
            raise RuntimeError("the source broke")

        with pytest.raises(RuntimeError):
            store.archive.take(breaking())
        with pytest.raises(BadInput):
            without = replace(document_of(note("bad")), passages=())
            store.archive.take([Setting("global", "k", 1), KeptNote(without, Usage())])
        assert sorted(store.archive.records(), key=told) == before

    def test_a_vector_without_its_passage_is_dropped(self, store: Store) -> None:
        store.archive.take([KeptVector("m", "nobody#0", unit(0).tobytes())])
        assert list(store.archive.records()) == []
