"""What every store must do, whatever it is made of. A store passes by subclassing with its fixture.

The suite speaks only through the ports; it knows no SQL and no internals.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from recollect.encoders.hashing import Hashing
from recollect.engine.learn import document_of, learn
from recollect.model.errors import BadInput
from recollect.model.inventory import Label, ModelCount, SpaceCount
from recollect.model.note import Link, Passage
from recollect.model.query import Scope
from recollect.model.tree import Word
from recollect.ports import Store
from tests.building import EVERYTHING, NOW, days_ago, embed_all, hit_ids, note, put
from tests.stores.archive_contract import ArchiveContract
from tests.stores.scope_contract import ScopeContract
from tests.stores.tenants import TenantsContract
from tests.stores.words_contract import WordsContract


class VectorsContract:
    """Finding by meaning."""

    def test_the_nearest_comes_first_with_its_cosine(self, store: Store) -> None:
        put(store, note("near", "alpha beta"), note("far", "gamma delta"))
        model = embed_all(store)
        assert store.vectors
        query = model.embed(["alpha beta"])[0]
        hits = store.vectors.nearest(model.identity, query, EVERYTHING, 10)
        assert hits[0].note_id == "near"
        assert hits[0].score == pytest.approx(1.0, abs=1e-3)
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)

    def test_models_never_mix(self, store: Store) -> None:
        put(store, note("a", "alpha"))
        embed_all(store, Hashing(64))
        other = Hashing(32)
        assert store.vectors
        query = other.embed(["alpha"])[0]
        assert list(store.vectors.nearest(other.identity, query, EVERYTHING, 10)) == []
        embed_all(store, other)
        assert hit_ids(store.vectors.nearest(other.identity, query, EVERYTHING, 10)) == ["a"]

    def test_vectors_of_two_sizes_for_one_model_are_refused(self, store: Store) -> None:
        put(store, note("a", "alpha"), note("b", "beta"))
        assert store.vector_writer
        store.vector_writer.put_vectors("m", {"a#0": np.ones(4, dtype=np.float32)})
        with pytest.raises(BadInput):
            store.vector_writer.put_vectors("m", {"b#0": np.ones(5, dtype=np.float32)})

    def test_an_empty_text_never_becomes_nan(self, store: Store) -> None:
        put(store, note("blank", "   "), note("a", "alpha"))
        model = embed_all(store)
        assert store.vectors
        hits = store.vectors.nearest(model.identity, model.embed(["alpha"])[0], EVERYTHING, 10)
        assert all(math.isfinite(hit.score) for hit in hits)
        assert hits[0].note_id == "a"

    def test_similarities_are_of_exactly_the_notes_asked_for(self, store: Store) -> None:
        put(store, note("a", "alpha"), note("b", "alpha"), note("c", "alpha"))
        model = embed_all(store)
        put(store, note("unembedded", "alpha"))
        assert store.vectors
        query = model.embed(["alpha"])[0]
        wanted = ["c", "a", "a", "unembedded", "nobody"]
        hits = store.vectors.similarities(model.identity, query, wanted)
        assert sorted(hit_ids(hits)) == ["a", "c"]
        assert list(store.vectors.similarities(model.identity, query, [])) == []

    def test_a_note_is_as_similar_as_its_best_passage(self, store: Store) -> None:
        passages = (Passage("a#0", "a", "gamma"), Passage("a#1", "a", "alpha"))
        store.writer.put([document_of(note("a"), passages)])
        model = embed_all(store)
        assert store.vectors
        [hit] = store.vectors.similarities(model.identity, model.embed(["alpha"])[0], ["a"])
        assert hit.passage_id == "a#1"

    def test_what_waits_for_a_vector_is_told_until_it_has_one(self, store: Store) -> None:
        put(store, note("a"), note("b"), note("c"))
        assert store.vector_writer
        assert len(store.vector_writer.without_vector("m", 2)) == 2
        store.vector_writer.put_vectors("m", {"a#0": np.ones(4, dtype=np.float32)})
        waiting = store.vector_writer.without_vector("m", 10)
        assert {passage.id for passage in waiting} == {"b#0", "c#0"}
        assert waiting[0].text == waiting[0].note_id

    def test_how_many_wait_for_a_vector_is_counted(self, store: Store) -> None:
        put(store, note("a"), note("b"), note("c"))
        assert store.vectors
        assert store.vector_writer
        assert store.vectors.missing("m") == 3
        store.vector_writer.put_vectors("m", {"a#0": np.ones(4, dtype=np.float32)})
        assert store.vectors.missing("m") == 2
        assert store.vectors.missing("another") == 3
        store.writer.remove(["a", "b"])
        assert store.vectors.missing("m") == 1

    def test_a_changed_passage_loses_its_vector_and_an_unchanged_one_keeps_it(
        self, store: Store
    ) -> None:
        first, second = Passage("a#0", "a", "one"), Passage("a#1", "a", "two")
        store.writer.put([document_of(note("a"), (first, second))])
        embed_all(store)
        store.writer.put([document_of(note("a"), (first, replace(second, text="three")))])
        assert store.vector_writer
        waiting = store.vector_writer.without_vector(Hashing().identity, 10)
        assert [passage.id for passage in waiting] == ["a#1"]

    def test_a_vector_for_a_passage_that_is_gone_is_dropped(self, store: Store) -> None:
        assert store.vector_writer
        assert store.vectors
        one = np.full(4, 0.5, dtype=np.float32)
        store.vector_writer.put_vectors("m", {"nobody#0": one})
        assert list(store.vectors.nearest("m", one, EVERYTHING, 10)) == []

    def test_the_recently_accessed_come_newest_first_and_only_with_a_vector(
        self, store: Store
    ) -> None:
        put(store, *(note(f"n{age}", age_days=age) for age in (1, 2, 3, 4)))
        model = embed_all(store)
        put(store, note("unembedded", age_days=0))
        store.usage.shown(["n4"], NOW)
        assert store.vectors
        recent = store.vectors.recently_accessed(model.identity, EVERYTHING, 3)
        assert list(recent) == ["n4", "n1", "n2"]


class GraphContract:
    """Finding by links."""

    def test_neighbours_are_found_in_both_directions(self, store: Store) -> None:
        put(store, note("hub", links=(Link("out"),)), note("out"), note("in", links=(Link("hub"),)))
        put(store, note("stranger"))
        assert store.graph
        assert sorted(hit_ids(store.graph.neighbours({"hub": 1.0}, EVERYTHING, 10))) == [
            "in",
            "out",
        ]

    def test_touching_more_seeds_counts_more(self, store: Store) -> None:
        put(store, note("a", links=(Link("x"), Link("y"))), note("b", links=(Link("x"), Link("x"))))
        put(store, note("x"), note("y"))
        assert store.graph
        hits = store.graph.neighbours({"a": 1.0, "b": 0.5}, EVERYTHING, 10)
        assert [(hit.note_id, hit.score) for hit in hits] == [("x", 1.5), ("y", 1.0)]

    def test_seeds_may_lift_each_other(self, store: Store) -> None:
        put(store, note("a", links=(Link("b"),)), note("b"))
        assert store.graph
        hits = store.graph.neighbours({"a": 1.0, "b": 0.5}, EVERYTHING, 10)
        assert [(hit.note_id, hit.score) for hit in hits] == [("b", 1.0), ("a", 0.5)]

    def test_a_link_to_nowhere_or_to_oneself_finds_nothing(self, store: Store) -> None:
        put(store, note("a", links=(Link("nobody"), Link("a"))))
        assert store.graph
        assert list(store.graph.neighbours({"a": 1.0}, EVERYTHING, 10)) == []
        assert list(store.graph.neighbours({}, EVERYTHING, 10)) == []


class ShelfContract:
    """Reading by id."""

    def test_a_note_comes_back_as_it_was_put(self, store: Store) -> None:
        whole = note(
            "full",
            'text with ünïcode 猫 and "quotes" and a NUL-free tail',
            title="Title",
            summary="Summary",
            importance=0.9,
            session="s1",
            project="p1",
            tags=("b", "a"),
            links=(Link("x", "supersedes"), Link("y")),
        )
        put(store, whole)
        assert store.shelf.notes(["full", "nobody"]) == {"full": whole}

    def test_a_passage_comes_back_as_it_was_put(self, store: Store) -> None:
        passage = Passage("a#0", "a", "text", "Title", ("One", "Two"), 3, 9)
        store.writer.put([document_of(note("a", title="Title"), (passage,))])
        assert store.shelf.passages(["a#0", "nobody#0"]) == {"a#0": passage}

    def test_facts_tell_what_the_note_says(self, store: Store) -> None:
        put(store, note("a", "x" * 500, title="T", summary="S", importance=0.75, tags=("t",)))
        facts = store.shelf.facts(["a", "nobody"])
        assert list(facts) == ["a"]
        one = facts["a"]
        assert (one.title, one.summary, one.path, one.importance) == ("T", "S", "a.md", 0.75)
        assert (one.space, one.session, one.tags, one.lead_passage) == ("home", None, ("t",), "a#0")
        assert one.excerpt == "x" * 280
        assert one.created_at == days_ago(100)
        assert list(store.shelf.facts([])) == []

    def test_facts_carry_the_traits_read_off_when_learned(self, store: Store) -> None:
        put(store, note("a", "I bought a bike. [date: today]"), note("b", "a plain thing"))
        facts = store.shelf.facts(["a", "b"])
        assert facts["a"].traits == {"atomic", "dated"}
        assert facts["b"].traits == frozenset()

    def test_backlinks_count_distinct_sources_and_not_oneself(self, store: Store) -> None:
        put(store, note("target", links=(Link("target"),)))
        put(store, note("a", links=(Link("target"), Link("target", "embed"))), note("b"))
        put(store, note("b", links=(Link("target"),)))
        assert store.shelf.facts(["target"])["target"].backlinks == 2
        store.writer.remove(["a"])
        assert store.shelf.facts(["target"])["target"].backlinks == 1

    def test_backlinks_from_another_space_are_not_counted(self, store: Store) -> None:
        put(store, note("target"), note("spy", space="elsewhere", links=(Link("target"),)))
        assert store.shelf.facts(["target"])["target"].backlinks == 0

    def test_which_of_these_notes_a_scope_shows(self, store: Store) -> None:
        put(store, note("a", session="s"), note("b"), note("c", tags=("t",)), note("d", space="x"))
        store.sessions.open_session("home", "s", "p")
        names = ["a", "b", "d", "d", "nobody"]
        assert store.shelf.seen(names, Scope.of("home")) == {"a", "b"}
        assert store.shelf.seen(names, Scope.of("home", "x", excluded=["b"])) == {"a", "d"}
        assert store.shelf.seen(names, Scope.of("home", projects=["p"])) == {"a"}
        assert store.shelf.seen(names, Scope.of("home", tags=["t"])) == frozenset()
        assert store.shelf.seen(names, Scope.of("home", sessions=[])) == frozenset()
        assert store.shelf.seen([], Scope.of("home")) == frozenset()

    def test_superseded_is_told(self, store: Store) -> None:
        put(store, note("old"), note("new", links=(Link("old", "supersedes"),)))
        facts = store.shelf.facts(["old", "new"])
        assert (facts["old"].superseded, facts["new"].superseded) == (True, False)

    def test_aliases_are_kept_per_space_and_replaced_whole(self, store: Store) -> None:
        store.writer.set_aliases("home", {"K8s": ("kubernetes",), "The-Lab": ("homelab",)})
        store.writer.set_aliases("work", {"k8s": ("kube",)})
        both = ["k8s", "the lab", "nothing"]
        assert store.shelf.aliases(["home"], both) == {
            "k8s": ("kubernetes",),
            "the lab": ("homelab",),
        }
        assert store.shelf.aliases(["home"], ["lab"]) == {}
        assert set(store.shelf.aliases(["home", "work"], both)["k8s"]) == {"kubernetes", "kube"}
        store.writer.set_aliases("home", {})
        assert store.shelf.aliases(["home"], both) == {}


class WriterContract:
    """Changing what is stored."""

    def test_putting_again_replaces_and_keeps_the_usage(self, store: Store) -> None:
        put(store, note("a", "before"))
        store.usage.used(["a"], NOW)
        put(store, note("a", "after"))
        assert hit_ids(store.words.find(Word("after"), EVERYTHING, 10)) == ["a"]
        assert list(store.words.find(Word("before"), EVERYTHING, 10)) == []
        assert store.shelf.facts(["a"])["a"].usage.access_count == 1

    def test_what_is_removed_is_gone_from_every_leg(self, store: Store) -> None:
        put(store, note("a", "alpha", links=(Link("b"),)), note("b", "alpha"))
        model = embed_all(store)
        assert store.writer.remove(["a", "a", "nobody"]) == 1
        assert store.vectors
        assert store.graph
        query = model.embed(["alpha"])[0]
        assert hit_ids(store.words.find(Word("alpha"), EVERYTHING, 10)) == ["b"]
        assert hit_ids(store.vectors.nearest(model.identity, query, EVERYTHING, 10)) == ["b"]
        assert list(store.graph.neighbours({"b": 1.0}, EVERYTHING, 10)) == []
        assert list(store.slugs.resembling(["a"], EVERYTHING, 10)) == []
        assert store.shelf.notes(["a"]) == {}
        assert store.shelf.passages(["a#0"]) == {}
        assert list(store.vectors.recently_accessed(model.identity, EVERYTHING, 10)) == ["b"]
        assert store.writer.remove([]) == 0

    def test_a_failing_put_leaves_nothing_behind(self, store: Store) -> None:
        good, bad = document_of(note("good")), replace(document_of(note("bad")), passages=())
        with pytest.raises(BadInput):
            store.writer.put([good, bad])
        assert store.shelf.notes(["good", "bad"]) == {}

        def breaking() -> Iterator[object]:
            yield good
            raise RuntimeError("the source broke")

        with pytest.raises(RuntimeError):
            store.writer.put(breaking())  # type: ignore[arg-type]
        assert store.shelf.notes(["good"]) == {}

    def test_a_passage_of_another_note_is_refused(self, store: Store) -> None:
        with pytest.raises(BadInput):
            store.writer.put([document_of(note("a"), (Passage("b#0", "b", "x"),))])

    def test_shown_is_not_used(self, store: Store) -> None:
        """R1.5"""
        put(store, note("a", age_days=9))
        before = store.shelf.facts(["a"])["a"].usage
        assert (before.accessed_at, before.access_count, before.exposures) == (days_ago(9), 0, 0)
        store.usage.shown(["a", "nobody"], NOW)
        shown = store.shelf.facts(["a"])["a"].usage
        assert (shown.accessed_at, shown.access_count, shown.exposures) == (NOW, 0, 1)
        later = NOW + timedelta(hours=1)
        store.usage.used(["a"], later)
        used = store.shelf.facts(["a"])["a"].usage
        assert (used.accessed_at, used.access_count, used.exposures) == (later, 1, 1)
        latest = NOW + timedelta(hours=2)
        store.usage.recalled(["a", "nobody"], latest)
        recalled = store.shelf.facts(["a"])["a"].usage
        assert (recalled.accessed_at, recalled.access_count, recalled.exposures) == (latest, 1, 1)

    def test_settings_change_together_and_stay(self, store: Store) -> None:
        assert store.settings.settings("global") == {}
        changed = store.settings.change_settings("global", {"words": 1.5, "deep": {"a": [1, None]}})
        assert changed == {"words": 1.5, "deep": {"a": [1, None]}}
        store.settings.change_settings("global", {"words": None, "k": 60})
        assert store.settings.settings("global") == {"deep": {"a": [1, None]}, "k": 60}
        assert store.settings.settings("session:1") == {}


class ListingContract:
    """Going through what is kept, and counting it."""

    def keep_some(self, store: Store) -> None:
        put(
            store,
            note(
                "hub", path="a/hub.md", age_days=1, links=(Link("one"), Link("one"), Link("gone"))
            ),
            note("one", path="b/one.md", age_days=2, links=(Link("hub"), Link("one"))),
            note("two", path="c/one.md", age_days=2, session="s", links=(Link("hub"),)),
            note("far", path="a/hub.md", age_days=0, space="elsewhere", links=(Link("hub"),)),
        )

    def test_notes_are_listed_newest_first_page_by_page(self, store: Store) -> None:
        self.keep_some(store)
        assert [one.id for one in store.listing.notes_in(EVERYTHING, 9)] == ["hub", "one", "two"]
        [second] = store.listing.notes_in(EVERYTHING, 1, 1)
        assert second == store.shelf.notes(["one"])["one"]
        assert list(store.listing.notes_in(EVERYTHING, 0)) == []
        assert list(store.listing.notes_in(Scope.of("home", sessions=[]), 9)) == []

    def test_a_scope_names_what_forgetting_it_would_remove(self, store: Store) -> None:
        self.keep_some(store)
        assert list(store.listing.ids_in(Scope.of("home", "elsewhere"))) == [
            *("far", "hub", "one", "two"),
        ]
        assert list(store.listing.ids_in(Scope.of("home", sessions=["s"]))) == ["two"]

    def test_a_note_is_looked_up_by_its_path_or_the_end_of_it(self, store: Store) -> None:
        self.keep_some(store)
        assert list(store.listing.ids_by_path(["home"], "a/hub.md")) == ["hub"]
        assert list(store.listing.ids_by_path(["home"], "one.md")) == ["one", "two"]
        assert list(store.listing.ids_by_path(["home"], "e.md")) == []
        assert list(store.listing.ids_by_path(["home"], "%.md")) == []
        assert list(store.listing.ids_by_path([], "a/hub.md")) == []

    def test_the_notes_that_link_to_one_are_named_once(self, store: Store) -> None:
        self.keep_some(store)
        assert list(store.listing.linking_to("hub")) == ["one", "two"]
        assert list(store.listing.linking_to("one")) == ["hub"]
        assert list(store.listing.linking_to("gone")) == []

    def test_what_notes_are_labelled_with_is_named_the_most_common_first(
        self, store: Store
    ) -> None:
        store.sessions.open_session("home", "s1", "p")
        put(
            store,
            note("one", tags=("x", "y"), session="s1", project="old"),
            note("two", tags=("y",), session="s1"),
            note("three", tags=("z",), session="s2", project="q"),
            note("far", tags=("far",), space="elsewhere"),
        )
        listing = store.listing
        assert list(listing.labels_in("tag", EVERYTHING, 9)) == [
            *(Label("y", 2), Label("x", 1), Label("z", 1)),
        ]
        assert list(listing.labels_in("session", EVERYTHING, 9)) == [Label("s1", 2), Label("s2", 1)]
        assert list(listing.labels_in("project", EVERYTHING, 9)) == [Label("p", 2), Label("q", 1)]
        assert list(listing.labels_in("tag", Scope.of("home", projects=["q"]), 9)) == [
            Label("z", 1)
        ]
        assert list(listing.labels_in("tag", EVERYTHING, 1)) == [Label("y", 2)]
        assert list(listing.labels_in("tag", EVERYTHING, 0)) == []
        store.sessions.move_session("home", "s1", None)
        assert list(listing.labels_in("project", EVERYTHING, 9)) == [Label("q", 1)]

    def test_what_is_there_is_counted(self, store: Store) -> None:
        empty = store.catalogue.counts()
        assert (empty.spaces, empty.notes, empty.passages, empty.models) == ((), 0, 0, ())
        self.keep_some(store)
        embed_all(store, Hashing(16))
        told = store.catalogue.counts()
        assert (told.spaces, told.notes, told.passages) == (("elsewhere", "home"), 4, 4)
        assert (told.links_resolved, told.links_unresolved) == (5, 2)
        assert told.models == (ModelCount("hashing-16", 16, 4),)
        assert store.catalogue.spaces() == told.spaces
        assert store.catalogue.by_space() == (
            *(SpaceCount("elsewhere", 1, 1), SpaceCount("home", 3, 3)),
        )
        assert store.catalogue.models() == told.models

    def test_a_model_is_dropped_with_all_its_vectors(self, store: Store) -> None:
        self.keep_some(store)
        small, large = embed_all(store, Hashing(16)), embed_all(store, Hashing(32))
        assert store.vectors
        assert store.vector_writer
        assert store.vector_writer.drop_model(small.identity) == 4
        assert store.vector_writer.drop_model(small.identity) == 0
        assert [one.identity for one in store.catalogue.models()] == [large.identity]
        assert store.vectors.missing(small.identity) == 4
        query = small.embed(["hub"])[0]
        assert list(store.vectors.nearest(small.identity, query, EVERYTHING, 9)) == []
        embed_all(store, small)
        assert hit_ids(store.vectors.nearest(small.identity, query, EVERYTHING, 1)) == ["hub"]


class FilesContract:
    """Remembering files between two visits."""

    def test_files_are_remembered_per_space_and_forgotten_by_path(self, store: Store) -> None:
        store.files.remember_files("home", {"a.md": "1", "b.md": "2"})
        store.files.remember_files("home", {"b.md": "3"})
        store.files.remember_files("work", {"a.md": "4"})
        assert store.files.files("home") == {"a.md": "1", "b.md": "3"}
        store.files.forget_files("home", ["a.md", "nothing.md"])
        assert store.files.files("home") == {"b.md": "3"}
        assert store.files.files("work") == {"a.md": "4"}
        assert store.files.files("nowhere") == {}


class StoreContract(
    WordsContract,
    VectorsContract,
    GraphContract,
    ShelfContract,
    WriterContract,
    ListingContract,
    FilesContract,
    ArchiveContract,
    ScopeContract,
    TenantsContract,
):
    """The whole contract; a store's test module subclasses this and gives it a `store` fixture."""


def fill_with(store: Store, count: int) -> None:
    """Many small notes, for suites that need a crowd."""
    learn((note(f"n{n:05}", f"word{n % 97} filler{n % 13}") for n in range(count)), store.writer)
