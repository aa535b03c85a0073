"""How every store must find by words."""

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.engine.learn import document_of
from recollect.model.errors import EmptyQuery
from recollect.model.note import Passage
from recollect.model.tree import And, But, In, Node, Or, Phrase, Prefix, Word
from recollect.ports import Store
from recollect.retrieve.parse import parse
from recollect.retrieve.resolve import resolve
from tests.building import EVERYTHING, hit_ids, note, put

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
