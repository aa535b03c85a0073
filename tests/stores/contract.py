"""What every store must do, whatever it is made of. A store passes by subclassing with its fixture.

The suite speaks only through the ports; it knows no SQL and no internals.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.encoders.hashing import Hashing
from recollect.engine.learn import document_of, learn
from recollect.model.errors import BadInput, EmptyQuery, NotFound
from recollect.model.inventory import Label, ModelCount, SpaceCount
from recollect.model.note import Link, Passage, Session
from recollect.model.query import Scope
from recollect.model.tree import And, But, In, Node, Or, Phrase, Prefix, Word
from recollect.ports import Store
from recollect.retrieve.parse import parse
from recollect.retrieve.resolve import resolve
from tests.building import EVERYTHING, NOW, days_ago, embed_all, hit_ids, note, put
from tests.stores.archive_contract import ArchiveContract
from tests.stores.tenants import TenantsContract

ONE_STORE_MANY_EXAMPLES = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
)


def asked(text: str) -> Node:
    return resolve(parse(text).tree, "any")


class WordsContract:
    """Finding by words."""

    def test_a_word_finds_the_notes_that_hold_it(self, store: Store) -> None:
        put(store, note("fox", "the quick brown fox"), note("dog", "a lazy dog"))
        assert hit_ids(store.words.find(Word("fox"), EVERYTHING, 10)) == ["fox"]

    def test_an_english_word_is_found_in_its_other_forms(self, store: Store) -> None:
        put(store, note("a", "upgrading the clusters"), note("b", "nothing of the kind"))
        assert hit_ids(store.words.find(Word("upgrade"), EVERYTHING, 10)) == ["a"]
        assert hit_ids(store.words.find(Word("cluster"), EVERYTHING, 10)) == ["a"]

    def test_a_quoted_word_is_found_in_exactly_its_form(self, store: Store) -> None:
        put(store, note("a", "running late"), note("b", "a good run"))
        assert hit_ids(store.words.find(Phrase(("running",)), EVERYTHING, 10)) == ["a"]

    def test_the_best_row_is_seen_even_when_many_match(self, store: Store) -> None:
        """A LIMIT without an order would keep the first rows and never see the best one."""
        weak = [note(f"weak{n:02}", "alpha " + "filler " * 40) for n in range(40)]
        put(store, *weak, note("best", "alpha alpha alpha"))
        assert hit_ids(store.words.find(Word("alpha"), EVERYTHING, 5))[0] == "best"

    def test_hits_come_best_first_and_higher_is_better(self, store: Store) -> None:
        put(store, *(note(f"n{n}", "alpha " * n + "filler " * (9 - n)) for n in range(1, 9)))
        scores = [hit.score for hit in store.words.find(Word("alpha"), EVERYTHING, 10)]
        assert len(scores) == 8
        assert scores == sorted(scores, reverse=True)
        assert all(score > 0 and math.isfinite(score) for score in scores)

    def test_a_rare_word_counts_more_than_a_common_one(self, store: Store) -> None:
        common = [note(f"c{n}", "common ground") for n in range(20)]
        put(store, *common, note("rare", "zeppelin ground"))
        hits = store.words.find(Or((Word("common"), Word("zeppelin"))), EVERYTHING, 30)
        assert hits[0].note_id == "rare"

    def test_a_title_counts_more_than_the_body(self, store: Store) -> None:
        put(
            store,
            note("body", "gardening is about soil", title="plants"),
            note("title", "plants is about soil", title="gardening"),
        )
        assert hit_ids(store.words.find(Word("gardening"), EVERYTHING, 10)) == ["title", "body"]

    def test_equal_scores_come_in_the_order_of_ids(self, store: Store) -> None:
        put(store, *(note(name, "same text") for name in ("c", "a", "d", "b")))
        assert hit_ids(store.words.find(Word("same"), EVERYTHING, 10)) == ["a", "b", "c", "d"]

    def test_the_depth_is_kept(self, store: Store) -> None:
        put(store, *(note(f"n{n}", "alpha") for n in range(9)))
        assert len(store.words.find(Word("alpha"), EVERYTHING, 4)) == 4

    def test_a_hit_names_the_passage_that_matched(self, store: Store) -> None:
        whole = note("long", "all of it")
        passages = (
            Passage("long#0", "long", "about cats"),
            Passage("long#1", "long", "about dogs"),
        )
        store.writer.put([document_of(whole, passages)])
        assert [hit.passage_id for hit in store.words.find(Word("dogs"), EVERYTHING, 10)] == [
            "long#1"
        ]

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            (And((Word("red"), Word("blue"))), ["blue", "both"]),
            (Or((Word("red"), Word("blue"))), ["blue", "both", "red"]),
            (But(Word("red"), Word("blue")), ["red"]),
            (But(And((Word("red"), Word("car"))), Word("blue")), ["red"]),
            (But(Or((Word("red"), Word("blue"))), Or((Word("bike"), Word("boat")))), ["red"]),
            (Phrase(("red", "car")), ["red"]),
            (Phrase(("car", "red")), []),
            (Prefix("bi"), ["both"]),
            (Prefix("b"), ["blue", "both"]),
            (In("title", Word("red")), ["blue"]),
            (In("tag", Word("paint")), ["both"]),
            (In("path", Word("blue")), ["blue"]),
            (In("text", Word("boat")), ["blue"]),
            (And((In("title", Word("red")), Word("boat"))), ["blue"]),
            (But(Word("boat"), In("title", Word("red"))), []),
        ],
    )
    def test_every_operator_means_what_it_says(
        self, store: Store, query: Node, expected: list[str]
    ) -> None:
        put(
            store,
            note("red", "a red car"),
            note("both", "red and blue bike", tags=("paint",)),
            note("blue", "a blue boat", title="not red"),
        )
        assert sorted(hit_ids(store.words.find(query, EVERYTHING, 10))) == expected

    @pytest.mark.parametrize(
        ("text", "query"),
        [
            ("機械学習の本を読む", "学習"),
            ("東京タワーは高い", "タワー"),
            ("猫が好きです", "猫"),
            ("한국어를 배우고 있습니다", "한국어"),
            ("ฉันชอบภาษาไทย", "ภาษาไทย"),
            ("हिन्दी भाषा सीखना", "भाषा"),
            ("اللغة العربية جميلة", "العربية"),
            ("Café Müller in Zürich", "cafe zurich"),
            ("cafe muller", "Café Müller"),
            ("Ünïcödé", "unicode"),
            ("ΑΘΗΝΑ Ελλάδα", "αθηνα"),
            ("Москва слезам не верит", "москва"),
        ],
    )
    def test_words_of_any_language_are_found(self, store: Store, text: str, query: str) -> None:
        put(store, note("hit", text), note("miss", "something else entirely"))
        assert hit_ids(store.words.find(asked(query), EVERYTHING, 10)) == ["hit"]

    def test_a_phrase_of_an_unspaced_language_keeps_its_order(self, store: Store) -> None:
        put(store, note("a", "我喜欢机器学习"), note("b", "学习使用机器"))
        assert hit_ids(store.words.find(asked('"机器学习"'), EVERYTHING, 10)) == ["a"]

    @ONE_STORE_MANY_EXAMPLES
    @given(
        text=st.one_of(
            st.text(max_size=60),
            st.text(
                alphabet='abAND OR NOT NEAR()"*-:^{}+,~\\\x00\u200b\u00a0título猫', max_size=60
            ),
        )
    )
    def test_no_text_is_an_error_of_syntax(self, store: Store, text: str) -> None:
        try:
            query = asked(text)
        except EmptyQuery:
            return
        store.words.compiled(query)
        store.words.find(query, EVERYTHING, 3)
        store.words.containing(query, ["nobody"])

    def test_an_empty_store_finds_nothing(self, store: Store) -> None:
        assert list(store.words.find(Word("anything"), EVERYTHING, 10)) == []

    def test_containing_tells_which_notes_match_anywhere(self, store: Store) -> None:
        passages = (Passage("a#0", "a", "red"), Passage("a#1", "a", "blue"))
        store.writer.put([document_of(note("a"), passages)])
        put(store, note("b", "red"), note("c", "blue"))
        assert store.words.containing(Word("blue"), ["a", "b", "nobody"]) == {"a"}
        assert store.words.containing(Word("blue"), []) == frozenset()

    def test_slugs_are_found_by_their_look(self, store: Store) -> None:
        put(
            store,
            note("k", "x", path="ops/kubernetes.md"),
            note("o", "x", path="kubernetes/oranges.md"),
        )
        hits = store.slugs.resembling(["kubernets"], EVERYTHING, 10)
        assert hit_ids(hits) == ["k"]
        assert hits[0].score >= 0.3

    def test_equally_alike_slugs_come_by_path(self, store: Store) -> None:
        put(store, note("1", "x", path="z/same.md"), note("2", "x", path="a/same.md"))
        assert hit_ids(store.slugs.resembling(["same"], EVERYTHING, 10)) == ["2", "1"]
        assert hit_ids(store.slugs.resembling(["same"], EVERYTHING, 1)) == ["2"]
        assert list(store.slugs.resembling([], EVERYTHING, 10)) == []


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


class ScopeContract:
    """Scope is a promise: every leg keeps it, inside its query."""

    def everywhere(self, store: Store, scope: Scope) -> dict[str, set[str]]:
        model = embed_all(store)
        query = model.embed(["alpha"])[0]
        assert store.vectors
        assert store.graph
        return {
            "words": set(hit_ids(store.words.find(Word("alpha"), scope, 50))),
            "meaning": set(hit_ids(store.vectors.nearest(model.identity, query, scope, 50))),
            "recent": set(store.vectors.recently_accessed(model.identity, scope, 50)),
            "links": set(hit_ids(store.graph.neighbours({"hub": 1.0}, scope, 50))) | {"hub"},
            "slugs": set(hit_ids(store.slugs.resembling(["alpha"], scope, 50))),
        }

    def agree(self, store: Store, scope: Scope, expected: set[str]) -> None:
        for leg, found in self.everywhere(store, scope).items():
            unlinked = {"foreign"} if leg == "links" else set()  # links stay within their space
            assert found - {"hub"} == expected - {"hub"} - unlinked, leg

    def fill(self, store: Store) -> None:
        names = ("one", "two", "three", "four", "five")
        links = tuple(Link(name) for name in (*names, "foreign"))
        put(
            store,
            note("hub", "alpha hub", path="alpha.md", links=links),
            note("one", "alpha", path="1/alpha.md", session="s1", tags=("x", "y"), age_days=1),
            note("two", "alpha", path="2/alpha.md", session="s2", tags=("x",), age_days=20),
            note("three", "alpha", path="3/alpha.md", project="p", age_days=40),
            note("four", "alpha", path="4/alpha.md", session="s3", age_days=400),
            note("five", "alpha", path="5/alpha.md"),
            note("foreign", "alpha", path="6/alpha.md", space="elsewhere", session="s1"),
        )
        store.sessions.open_session("home", "s1", "p")
        store.sessions.open_session("home", "s2", "p")
        store.sessions.open_session("home", "s3")
        store.sessions.open_session("elsewhere", "s1", "p")

    @pytest.mark.parametrize(
        ("scope", "expected"),
        [
            (Scope.of("home"), {"hub", "one", "two", "three", "four", "five"}),
            (Scope.of("elsewhere"), {"foreign"}),
            (Scope.of("nowhere"), set()),
            (Scope.of("home", sessions=["s1"]), {"one"}),
            (Scope.of("home", sessions=["s1", "s2"]), {"one", "two"}),
            (Scope.of("home", sessions=[]), set()),
            (Scope.of("home", projects=["p"]), {"one", "two", "three"}),
            (Scope.of("home", projects=["p"], sessions=["s2", "s3"]), {"two"}),
            (Scope.of("home", projects=[]), set()),
            (Scope.of("home", tags=["x"]), {"one", "two"}),
            (Scope.of("home", tags=["x", "y"]), {"one"}),
            (Scope.of("home", since=days_ago(30)), {"one", "two"}),
            (Scope.of("home", since=days_ago(20)), {"one", "two"}),
            (Scope.of("home", before=days_ago(20)), {"hub", "three", "four", "five"}),
            (Scope.of("home", since=days_ago(50), before=days_ago(10)), {"two", "three"}),
            (
                Scope.of("home", excluded=["one", "five", "nobody"]),
                {"hub", "two", "three", "four"},
            ),
            (Scope.of("home", sessions=["' OR 1=1 --"]), set()),
        ],
    )
    def test_every_leg_keeps_the_scope(
        self, store: Store, scope: Scope, expected: set[str]
    ) -> None:
        """R0.9"""
        self.fill(store)
        self.agree(store, scope, expected)

    def test_a_narrow_scope_never_starves(self, store: Store) -> None:
        crowd = [note(f"crowd{n:03}", "alpha alpha", session="crowd") for n in range(120)]
        put(store, *crowd, note("lone", "alpha and much else besides", session="lone"))
        model = embed_all(store)
        scope = Scope.of("home", sessions=["lone"])
        assert store.vectors
        query = model.embed(["alpha"])[0]
        assert hit_ids(store.words.find(Word("alpha"), scope, 1)) == ["lone"]
        assert hit_ids(store.vectors.nearest(model.identity, query, scope, 1)) == ["lone"]
        assert list(store.vectors.recently_accessed(model.identity, scope, 1)) == ["lone"]

    def test_moving_a_session_moves_its_visibility_at_once(self, store: Store) -> None:
        self.fill(store)
        store.sessions.move_session("home", "s3", "p")
        self.agree(store, Scope.of("home", projects=["p"]), {"one", "two", "three", "four"})
        store.sessions.move_session("home", "s1", None)
        self.agree(store, Scope.of("home", projects=["p"]), {"two", "three", "four"})

    def test_sessions_of_one_name_in_two_spaces_are_in_the_projects_of_their_own(
        self, store: Store
    ) -> None:
        for space, project in (("home", "p"), ("away", "q")):
            store.sessions.open_session(space, "s", project)
            put(store, note(f"of {space}", "alpha", space=space, session="s", project="p"))
        model = embed_all(store)
        assert store.vectors is not None
        for projects, expected in (("p", {"of home"}), ("q", {"of away"})):
            scope = Scope.of("home", "away", projects=[projects])
            wanted = model.embed(["alpha"])[0]
            assert set(store.listing.ids_in(scope)) == expected
            assert set(hit_ids(store.words.find(Word("alpha"), scope, 9))) == expected
            near = store.vectors.nearest(model.identity, wanted, scope, 9)
            assert set(hit_ids(near)) == expected

    def test_sessions_of_one_project_belong_together(self, store: Store) -> None:
        """R4.5"""
        self.fill(store)
        assert store.sessions.sessions_around("home", "s1") == {"s1", "s2"}
        assert store.sessions.sessions_around("home", "s3") == {"s3"}
        assert store.sessions.sessions_around("home", "unheard of") == {"unheard of"}
        with pytest.raises(NotFound):
            store.sessions.move_session("home", "unheard of", "p")

    def test_opening_a_session_twice_changes_nothing(self, store: Store) -> None:
        store.sessions.open_session("home", "s", "p")
        store.sessions.open_session("home", "s")
        store.sessions.open_session("home", "t", "p")
        assert store.sessions.sessions_around("home", "s") == {"s", "t"}

    def test_sessions_are_listed_by_name_page_by_page(self, store: Store) -> None:
        for name, project in (("c", "p"), ("a", None), ("d", "q"), ("b", "p")):
            store.sessions.open_session("home", name, project)
        store.sessions.open_session("elsewhere", "a")
        everyone = [one.id for one in store.roster.list_sessions("home", 10)]
        assert everyone == ["a", "b", "c", "d"]
        assert [one.id for one in store.roster.list_sessions("home", 2, 1)] == ["b", "c"]
        assert [one.id for one in store.roster.list_sessions("home", 9, 0, "p")] == ["b", "c"]
        assert list(store.roster.list_projects("home")) == ["p", "q"]
        assert store.roster.session("home", "b") == Session("home", "b", "p")
        assert store.roster.session("home", "unheard of") is None

    def test_a_session_that_is_dropped_leaves_its_notes_in_their_own_project(
        self, store: Store
    ) -> None:
        self.fill(store)
        store.roster.drop_session("home", "s2")
        self.agree(store, Scope.of("home", projects=["p"]), {"one", "three"})
        assert store.roster.session("home", "s2") is None
        with pytest.raises(NotFound):
            store.roster.drop_session("home", "s2")

    @ONE_STORE_MANY_EXAMPLES
    @given(
        spaces=st.sets(st.sampled_from(["home", "elsewhere", "nowhere"]), min_size=1),
        sessions=st.none() | st.sets(st.sampled_from(["s1", "s2", "s3", "s4"])),
        projects=st.none() | st.sets(st.sampled_from(["p", "q"])),
        tags=st.sets(st.sampled_from(["x", "y"])),
        excluded=st.sets(st.sampled_from(["one", "two", "three", "four", "five", "foreign"])),
    )
    def test_all_legs_agree_on_any_scope(
        self,
        store: Store,
        spaces: set[str],
        sessions: set[str] | None,
        projects: set[str] | None,
        tags: set[str],
        excluded: set[str],
    ) -> None:
        self.fill(store)
        scope = Scope.of(
            *spaces, sessions=sessions, projects=projects, tags=tags, excluded=excluded
        )
        found = self.everywhere(store, scope)
        self.agree(store, scope, found["words"])


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
