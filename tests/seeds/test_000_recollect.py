"""Seed 000, number by number: a coding agent's memory."""

from dataclasses import replace

import pytest

from recollect.encoders.hashing import Hashing
from recollect.model.errors import EncoderError, LegFailed
from recollect.model.note import Note
from recollect.recipes.recipe import ByFact, ByMeaning, ByWords, Pool
from recollect.recipes.shelf import RECOLLECT
from recollect.retrieve.adjust import ImportanceBonus, rank_bonus
from recollect.retrieve.fuse import RRF
from recollect.stores.memory import memory_store
from tests.building import EVERYTHING, NOW, Home, days_ago, ids, note
from tests.fakes import hits, scene


def test_the_legs_have_the_seeds_weights_and_depths() -> None:
    """R1.1, R1.3"""
    words, meaning, created, access = RECOLLECT.legs
    assert isinstance(words, ByWords)
    assert isinstance(meaning, ByMeaning)
    assert (words.weight, words.depth, words.match) == (1.0, 50, "any")
    assert (meaning.weight, meaning.required) == (1.0, True)
    assert created == ByFact("created", 0.6)
    assert access == ByFact("access", 0.4)
    assert RECOLLECT.fusion == RRF(k=60, ranks="dense")
    assert RECOLLECT.pool == Pool(200)
    assert RECOLLECT.limit == 3


def test_the_words_leg_asks_for_fifty_and_the_pool_for_two_hundred() -> None:
    """R1.1, R1.2"""
    made = scene([note("a")], words=hits("a"), meaning=hits("a"))
    made.ask(RECOLLECT)
    assert made.words.depths == [50]
    assert made.vectors.depths == [200]


def test_the_pool_is_the_recent_plus_what_the_words_found_each_once() -> None:
    """R1.2"""
    made = scene(
        [note(name) for name in ("recent", "both", "old")],
        words=hits("both", "old"),
        meaning=hits("recent", "both", "old"),
        recent=("recent", "both"),
    )
    answer = made.ask(RECOLLECT)
    assert made.vectors.compared == [("recent", "both", "old")]
    assert answer.trace.pool == 3
    assert sorted(ids(answer)) == ["both", "old", "recent"]


def test_a_lexical_hit_without_an_embedding_is_not_a_candidate() -> None:
    """R1.2"""
    own = Home(memory_store(), Hashing()).learn(note("embedded", "alpha"))
    Home(own.store).learn(note("bare", "alpha alpha"))
    assert ids(own.ask("alpha", RECOLLECT)) == ["embedded"]


def test_an_empty_pool_makes_no_query() -> None:
    """R1.2: never an IN () over nothing."""
    made = scene([note("a")])
    answer = made.ask(RECOLLECT)
    assert answer.results == ()
    assert made.vectors.compared == []
    assert made.shelf.facts_calls == []


def test_a_score_is_the_weighted_sum_over_four_lists() -> None:
    """R1.3: 1.0/(60+rank) by words and meaning, 0.6 by creation, 0.4 by access."""
    made = scene(
        [note("a", age_days=3), note("b", age_days=1), note("c", age_days=2)],
        words=hits("b", "a"),
        meaning=hits("a", "b", "c"),
    )
    made.store.usage.used(["c"], NOW)
    found = {result.note_id: result for result in made.ask(RECOLLECT).results}
    assert found["a"].score == pytest.approx(1 / 62 + 1 / 61 + 0.6 / 63 + 0.4 / 62)
    assert found["b"].score == pytest.approx(1 / 61 + 1 / 62 + 0.6 / 61 + 0.4 / 62)
    assert found["c"].score == pytest.approx(1 / 63 + 0.6 / 62 + 0.4 / 61)
    assert set(found["c"].legs) == {"meaning", "created", "access"}


def test_candidates_without_a_lexical_hit_get_nothing_from_that_list() -> None:
    """R0.1: they are not given its worst rank."""
    made = scene([note("a"), note("b")], words=hits("a"), meaning=hits("a", "b"))
    assert "words" not in made.ask(RECOLLECT).results[1].legs


def test_with_no_lexical_hit_at_all_the_term_is_left_out_for_everyone() -> None:
    made = scene([note("a"), note("b")], meaning=hits("a", "b"))
    answer = made.ask(RECOLLECT)
    assert all("words" not in result.legs for result in answer.results)
    assert answer.results[0].score == pytest.approx(1 / 61 + 0.6 / 61 + 0.4 / 61)


def test_ties_share_a_rank_in_every_list() -> None:
    """R1.3: dense ranking."""
    made = scene(
        [note("a", age_days=5), note("b", age_days=5), note("c", age_days=6)],
        meaning=hits("a", "b", "c", scores=[0.5, 0.5, 0.1]),
    )
    found = {one.note_id: one for one in made.ask(RECOLLECT).results}
    for leg in ("meaning", "created"):
        assert [found[name].legs[leg].rank for name in "abc"] == [1, 1, 2]
    assert [found[name].legs["access"].rank for name in "abc"] == [1, 1, 1]


def test_the_newest_comes_first_in_recency_and_the_most_used_in_access() -> None:
    """R1.3"""
    made = scene([note("old", age_days=9), note("new", age_days=1)], meaning=hits("old", "new"))
    for _ in range(3):
        made.store.usage.used(["old"], NOW)
    made.store.usage.used(["new"], NOW)
    found = {one.note_id: one for one in made.ask(RECOLLECT).results}
    assert (found["new"].legs["created"].rank, found["old"].legs["created"].rank) == (1, 2)
    assert (found["old"].legs["access"].rank, found["new"].legs["access"].rank) == (1, 2)
    assert found["old"].legs["access"].score == 3


def test_being_shown_does_not_raise_the_access_rank() -> None:
    """R1.5: an exposure is counted apart."""
    made = scene([note("shown"), note("used")], meaning=hits("shown", "used"))
    for _ in range(9):
        made.store.usage.shown(["shown"], NOW)
    made.store.usage.used(["used"], NOW)
    found = {one.note_id: one for one in made.ask(RECOLLECT).results}
    assert found["used"].legs["access"].rank == 1
    assert found["shown"].legs["access"].rank == 2


def test_high_importance_is_worth_about_0_0023_at_k_60() -> None:
    """R1.4"""
    assert rank_bonus(60, 10) == 1 / 61 - 1 / 71
    assert round(rank_bonus(60, 10), 4) == 0.0023
    made = scene([note("a", importance=0.75)], meaning=hits("a"))
    [result] = made.ask(RECOLLECT).results
    assert [(step.name, step.amount) for step in result.adjustments] == [
        ("importance_bonus", 1 / 61 - 1 / 71)
    ]


@pytest.mark.parametrize("k", [1, 10, 60, 100])
def test_the_importance_bonus_follows_k(k: float) -> None:
    """R1.4"""
    recipe = replace(RECOLLECT, fusion=RRF(k=k, ranks="dense"))
    made = scene([note("a", importance=1.0)], meaning=hits("a"))
    [step] = made.ask(recipe).results[0].adjustments
    assert step.amount == 1 / (k + 1) - 1 / (k + 11)


@pytest.mark.parametrize(
    ("importance", "gets_it"), [(0.0, False), (0.5, False), (0.74, False), (0.75, True), (1, True)]
)
def test_only_high_importance_gets_the_bonus(importance: float, gets_it: bool) -> None:
    """R1.4"""
    made = scene([note("a", importance=importance)], meaning=hits("a"))
    assert bool(made.ask(RECOLLECT).results[0].adjustments) is gets_it


def test_the_bonus_lifts_a_note_over_its_equal() -> None:
    """R1.4: ten places at the head of one list, and no more."""
    crowd = [f"n{at:02}" for at in range(14)]
    plain = replace(RECOLLECT, legs=RECOLLECT.legs[:2])

    def place(high: str) -> int:
        notes = [note(name, importance=0.75 if name == high else 0.5) for name in crowd]
        made = scene(notes, meaning=hits(*crowd))
        return ids(made.ask(plain, limit=20)).index(high)

    assert place("n09") == 0
    assert place("n10") == 1  # exactly as much as the first: equal scores keep their order
    assert place("n11") == 1
    assert RECOLLECT.adjustments[0] == ImportanceBonus(positions=10)


def test_three_are_chosen() -> None:
    """R1.5"""
    made = scene([note(name) for name in "abcde"], meaning=hits(*"abcde"))
    assert len(made.ask(RECOLLECT).results) == 3


@pytest.mark.parametrize("error", [EncoderError("no model"), RuntimeError("socket closed")])
def test_a_prompt_that_cannot_be_embedded_is_an_error_and_nothing_is_written(
    error: Exception,
) -> None:
    """R1.7"""
    made = scene([note("a", "alpha")], words=hits("a"), meaning=hits("a"))
    made.embedder.error = error
    before = made.store.shelf.facts(["a"])
    with pytest.raises(LegFailed, match=str(error)):
        made.ask(RECOLLECT)
    assert made.store.shelf.facts(["a"]) == before


def test_without_any_embedder_the_caller_is_told() -> None:
    """R1.7"""
    made = scene([note("a")], words=hits("a"), has_meaning=False)
    with pytest.raises(LegFailed, match="embedder"):
        made.ask(RECOLLECT)


def _episodes(count: int) -> list[Note]:
    return [note(f"e{at:03}", f"daily talk number{at}", age_days=at + 1) for at in range(count)]


def test_an_old_episode_outside_the_two_hundred_surfaces_by_its_keywords() -> None:
    """R1.9"""
    old = note("old", "the zeppelin incident", age_days=900)
    own = Home(memory_store(), Hashing()).learn(*_episodes(230), old)
    vectors = own.store.vectors
    assert vectors
    recent = vectors.recently_accessed(Hashing().identity, EVERYTHING, 200)
    assert len(recent) == 200
    assert "old" not in recent
    answer = own.ask("what was that zeppelin about", RECOLLECT)
    assert ids(answer)[0] == "old"
    assert answer.trace.pool >= 201


def test_with_fewer_than_two_hundred_all_are_candidates() -> None:
    """R1.9"""
    own = Home(memory_store(), Hashing()).learn(*_episodes(120))
    answer = own.ask("zeppelin number7", RECOLLECT, limit=1000)
    assert answer.trace.pool == 120
    assert len(answer.results) == 120


def test_the_pool_goes_by_last_access_and_not_by_creation() -> None:
    """R1.2"""
    recipe = replace(RECOLLECT, pool=Pool(2))
    own = Home(memory_store(), Hashing()).learn(*_episodes(6))
    own.store.usage.shown(["e005"], NOW)
    own.store.usage.used(["e004"], days_ago(-1))
    assert sorted(ids(own.ask("zeppelin", recipe))) == ["e004", "e005"]


def test_a_prompt_is_prose_and_holds_no_operators() -> None:
    """R1.1: a pasted prompt with NOT and quotes in it excludes nothing."""
    own = Home(memory_store(), Hashing()).learn(note("a", "alpha beta"))
    assert ids(own.ask('alpha NOT beta -alpha "beta gamma"', RECOLLECT)) == ["a"]
