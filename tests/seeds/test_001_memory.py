"""Seed 001, number by number: an agent's memory server."""

from dataclasses import replace

import pytest

from recollect.encoders.hashing import Hashing
from recollect.model.note import Link, Note
from recollect.model.ranking import Hit, Ranking
from recollect.model.tree import And, Or, Phrase, Word
from recollect.recipes.recipe import ByLinks, ByMeaning, ByWords, Rerank
from recollect.recipes.shelf import MEMORY
from recollect.recipes.toml import read_recipe, write_recipe
from recollect.retrieve.adjust import ExactMatch, rank_bonus
from recollect.retrieve.fuse import RRF, Convex, fuse
from recollect.stores.memory import memory_store
from tests.building import Home, ids, note
from tests.fakes import SaidJudge, hits, scene


def _rising_in_importance() -> list[Note]:
    return [note("a", importance=0.0), note("b", importance=0.5), note("c", importance=1.0)]


def test_the_legs_have_the_seeds_weights() -> None:
    """R5.1"""
    words, meaning, links = MEMORY.legs
    assert isinstance(words, ByWords)
    assert isinstance(meaning, ByMeaning)
    assert isinstance(links, ByLinks)
    assert (words.weight, meaning.weight, links.weight) == (1.0, 1.0, 0.35)
    assert MEMORY.fusion == RRF(k=60)


def test_three_lists_are_fused_and_the_prior_multiplies() -> None:
    """R5.1, R5.2"""
    made = scene(
        [note("a", importance=1.0), note("b", importance=0.0), note("c", importance=0.5)],
        words=hits("a", "b"),
        meaning=hits("b", "c"),
        links=hits("c"),
    )
    found = {one.note_id: one.score for one in made.ask(MEMORY).results}
    assert found["a"] == pytest.approx((1 / 61) * 1.0)
    assert found["b"] == pytest.approx((1 / 62 + 1 / 61) * 0.7)
    assert found["c"] == pytest.approx((1 / 62 + 0.35 / 61) * 0.85)


@pytest.mark.parametrize(
    ("importance", "factor"), [(0.0, 0.7), (0.25, 0.775), (0.5, 0.85), (0.75, 0.925)]
)
def test_importance_is_a_prior_of_0_7_to_1(importance: float, factor: float) -> None:
    """R5.2"""
    made = scene([note("a", importance=importance)], words=hits("a"), meaning=hits("a"))
    [step] = made.ask(MEMORY).results[0].adjustments
    assert (step.name, step.kind) == ("importance_prior", "factor")
    assert step.amount == pytest.approx(factor)


def test_the_prior_turns_an_order_around_and_is_no_list_of_its_own() -> None:
    """R5.2"""
    made = scene(
        [note("a", importance=0.0), note("b", importance=1.0)],
        words=hits("a", "b"),
        meaning=hits("a", "b"),
    )
    answer = made.ask(MEMORY)
    assert ids(answer) == ["b", "a"]
    assert set(answer.trace.leg_counts) == {"words", "meaning", "links"}


@pytest.mark.parametrize("sort_by", ["recency", "importance"])
def test_other_sorts_leave_the_prior_out(sort_by: str) -> None:
    """R5.2"""
    made = scene(
        [note("a", importance=0.2, age_days=1), note("b", importance=0.9, age_days=5)],
        words=hits("a", "b"),
        meaning=hits("a", "b"),
    )
    answer = made.ask(MEMORY, sort_by=sort_by)
    assert ids(answer) == (["a", "b"] if sort_by == "recency" else ["b", "a"])
    assert all(result.adjustments == () for result in answer.results)
    assert {one.note_id: one.score for one in answer.results} == {"a": 2 / 61, "b": 2 / 62}


def test_a_single_list_keeps_its_own_order_whatever_the_importance() -> None:
    """R5.3"""
    notes = _rising_in_importance()
    for found in ({"words": hits(*"abc")}, {"meaning": hits(*"abc")}):
        answer = scene(notes, words=found.get("words", ()), meaning=found.get("meaning", ())).ask(
            MEMORY
        )
        assert ids(answer) == ["a", "b", "c"]
        assert [one.score for one in answer.results] == [1 / 61, 1 / 62, 1 / 63]


def test_without_vectors_the_lexical_order_remains_and_the_answer_says_so() -> None:
    """R5.3"""
    notes = _rising_in_importance()
    made = scene(notes, words=hits(*"cab"), has_meaning=False, has_graph=False)
    answer = made.ask(MEMORY)
    assert ids(answer) == ["c", "a", "b"]
    assert [(one.part, one.code) for one in answer.degraded] == [("meaning", "absent")]
    assert answer.trace.mode == "bm25"


def test_all_terms_are_asked_for_first_and_any_of_them_when_that_finds_nothing() -> None:
    """R5.4"""
    made = scene([note("a")])
    answer = made.ask(MEMORY, "red car")
    assert made.words.trees == [
        And((Word("red"), Word("car"))),
        Or((Word("red"), Word("car"))),
    ]
    assert answer.trace.broadened is True


def test_a_query_that_finds_all_its_terms_is_not_broadened() -> None:
    """R5.4"""
    own = Home(memory_store()).learn(note("both", "red car"), note("one", "red red red"))
    answer = own.ask("red car", MEMORY)
    assert (ids(answer), answer.trace.broadened) == (["both"], False)
    broad = own.ask("red boat", MEMORY)
    assert sorted(ids(broad)) == ["both", "one"]
    assert broad.trace.broadened is True


def test_one_word_is_not_asked_twice() -> None:
    """R5.4: broadening a single word would be the same question again."""
    made = scene([note("a")])
    assert made.ask(MEMORY, "red").trace.broadened is False
    assert made.words.calls == 1


def test_convex_combination_by_hand() -> None:
    """R5.5: meaning against -1, words against 0, each by its observed maximum."""
    words = Ranking("words", 1.0, (Hit("a", 8.0), Hit("b", 2.0)), 0.0)
    meaning = Ranking("meaning", 1.0, (Hit("b", 0.6), Hit("c", 0.2)), -1.0)
    fused = fuse(Convex(alpha=0.8), [words, meaning])
    assert fused.scores == pytest.approx(
        {
            "a": 0.2 * (8 - 0) / (8 - 0),
            "b": 0.2 * (2 - 0) / (8 - 0) + 0.8 * (0.6 + 1) / (0.6 + 1),
            "c": 0.8 * (0.2 + 1) / (0.6 + 1),
        }
    )
    assert fused.most == pytest.approx(1.0)


def test_convex_takes_its_minimum_from_theory_and_not_from_the_list() -> None:
    """R5.5: with min-max by observation the last of a list would get nothing."""
    meaning = Ranking("meaning", 1.0, (Hit("a", 0.9), Hit("b", 0.8)), -1.0)
    scores = fuse(Convex(alpha=1.0), [meaning]).scores
    assert scores["b"] == pytest.approx(1.8 / 1.9)


def test_the_engine_gives_the_convex_fusion_the_theoretical_floors() -> None:
    """R5.5, end to end"""
    made = scene(
        [note("a"), note("b")],
        words=hits("a", "b", scores=[8.0, 2.0]),
        meaning=hits("b", "a", scores=[0.6, 0.2]),
    )
    recipe = replace(MEMORY, fusion=Convex(alpha=0.8), adjustments=())
    found = {one.note_id: one.score for one in made.ask(recipe).results}
    assert found == pytest.approx({"a": 0.2 + 0.8 * 1.2 / 1.6, "b": 0.2 * 0.25 + 0.8})


@pytest.mark.parametrize("k", [10, 20, 60, 100])
def test_k_can_be_swept(k: int) -> None:
    """R5.5: k over 10 to 100 is one setting."""
    recipe = replace(MEMORY, fusion=RRF(k=k))
    made = scene([note("a")], words=hits("a"))
    assert made.ask(recipe).results[0].score == 1 / (k + 1)


def test_the_exact_match_bonus_is_off_by_default() -> None:
    """R5.6"""
    assert [one.enabled for one in MEMORY.adjustments if isinstance(one, ExactMatch)] == [False]
    own = Home(memory_store(), Hashing()).learn(note("a", "red car"), note("b", "car red"))
    for result in own.ask("red car", MEMORY).results:
        assert "exact_match" not in [step.name for step in result.adjustments]


def test_the_exact_match_bonus_works_when_switched_on() -> None:
    """R5.6"""
    recipe = replace(MEMORY, adjustments=(ExactMatch(positions=5, enabled=True),))
    own = Home(memory_store(), Hashing()).learn(note("a", "car red"), note("b", "red car"))
    assert ids(own.ask("red car", replace(MEMORY, adjustments=()))) == ["a", "b"]
    answer = own.ask("red car", recipe)
    assert ids(answer) == ["b", "a"]
    assert [(step.name, step.amount) for step in answer.results[0].adjustments] == [
        ("exact_match", rank_bonus(60, 5))
    ]
    assert answer.results[1].adjustments == ()


def test_the_exact_match_bonus_asks_for_the_whole_query_as_a_phrase() -> None:
    """R5.6: and only about the candidates."""
    recipe = replace(MEMORY, adjustments=(ExactMatch(enabled=True),))
    made = scene([note("a"), note("b")], words=hits("a", "b"))
    made.words.holding = frozenset({"b", "elsewhere"})
    answer = made.ask(recipe, "Red Car")
    assert [len(one.adjustments) for one in answer.results] == [1, 0]
    assert ids(answer) == ["b", "a"]


def test_the_judge_is_behind_a_gate_that_is_shut() -> None:
    """R5.7"""
    assert MEMORY.rerank == Rerank(top_n=20, document="passage", enabled=False)
    judge = SaidJudge(marks={"beta": 1.0})
    made = scene(
        [note("a", "alpha"), note("b", "beta")],
        words=hits("a", "b"),
        meaning=hits("a", "b"),
        judge=judge,
    )
    shut = made.ask(MEMORY)
    assert (judge.calls, shut.trace.rerank_skipped_reason) == (0, "disabled")
    opened = read_recipe(
        write_recipe(MEMORY).replace(
            "skip_when_unanimous = true\nenabled = false",
            "skip_when_unanimous = true\nenabled = true",
        )
    )
    answer = made.ask(opened)
    assert (ids(answer), answer.trace.reranked) == (["b", "a"], True)
    assert judge.texts == ["alpha", "beta"]


def test_an_empty_graph_costs_nothing() -> None:
    """R5.8: no seed, no call; no link, no change."""
    nobody = scene([note("a")])
    nobody.ask(MEMORY)
    assert nobody.graph.calls == 0
    linkless = scene([note("a"), note("b")], words=hits("a", "b"), meaning=hits("b"))
    with_graph = linkless.ask(MEMORY).results
    linkless.has_graph = False
    assert linkless.ask(MEMORY).results == with_graph


def test_the_graph_starts_from_what_the_other_legs_agree_on() -> None:
    """R5.1"""
    made = scene([note("a"), note("b")], words=hits("a", "b"), meaning=hits("b"))
    made.ask(MEMORY)
    assert made.graph.seeds == [{"b": 1.0, "a": 0.5}]


def test_a_link_alone_never_reaches_a_top_ten_that_two_legs_fill() -> None:
    """R5.1: 0.35/61 is less than 1/110, so the graph lifts what others also found."""
    assert 0.35 / 61 < 1 / 110
    crowd = [f"n{at:02}" for at in range(50)]
    made = scene(
        [*(note(name) for name in crowd), note("linked")],
        words=hits(*crowd[::2]),
        meaning=hits(*crowd[1::2]),
        links=hits("linked", crowd[48]),
    )
    answer = made.ask(replace(MEMORY, adjustments=()), limit=100)
    assert ids(answer)[-1] == "linked"
    assert ids(answer).index(crowd[48]) < 40


def test_links_of_the_found_bring_in_their_neighbours() -> None:
    """R5.1"""
    own = Home(memory_store()).learn(
        note("found", "alpha", links=(Link("near"),)), note("near", "other"), note("far", "other")
    )
    own.embedder = Hashing()
    assert ids(own.ask("alpha", MEMORY)) == ["found", "near"]


def test_the_phrase_is_not_the_whole_question() -> None:
    """R5.4: plain prose becomes words, never one quoted phrase."""
    made = scene([note("a")])
    made.ask(MEMORY, "where is the red car")
    assert not any(isinstance(tree, Phrase) for tree in made.words.trees)
