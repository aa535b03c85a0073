"""Seed 003, number by number: a folder of linked notes."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.model.note import Link, Note
from recollect.model.ranking import Hit, Ranking
from recollect.recipes.recipe import ByMeaning, ByWords, Recipe
from recollect.recipes.shelf import VAULT
from recollect.recipes.toml import read_recipe, write_recipe
from recollect.retrieve.adjust import AgeTiers, Backlinks
from recollect.retrieve.fuse import RRF, Weighted, fuse
from tests.building import NOW, ids, note
from tests.fakes import SaidJudge, hits, scene


def changed(old: str, new: str, recipe: Recipe = VAULT) -> Recipe:
    """The recipe after an edit of its TOML, as a user would make it."""
    text = write_recipe(recipe)
    assert old in text
    return read_recipe(text.replace(old, new))


@pytest.mark.parametrize(("rank", "share"), [(1, 1 / 61), (10, 1 / 70), (100, 1 / 160)])
def test_ranks_contribute_as_the_seed_tables_them(rank: int, share: float) -> None:
    """R0.1: 0.0164, 0.0143, 0.00625"""
    lexical = Ranking("words", 1.0, tuple(Hit(f"n{at}", -float(at)) for at in range(1, 101)))
    assert fuse(RRF(), [lexical]).scores[f"n{rank}"] == share


def test_the_seeds_rounded_numbers() -> None:
    """R0.1"""
    assert (round(1 / 61, 4), round(1 / 70, 4), 1 / 160) == (0.0164, 0.0143, 0.00625)


def test_a_note_in_both_lists_outscores_one_in_a_single_list() -> None:
    """R3.1"""
    made = scene([note(name) for name in "abc"], words=hits("a", "b"), meaning=hits("c", "b"))
    answer = made.ask(VAULT)
    assert ids(answer)[0] == "b"
    assert answer.results[0].score == pytest.approx(2 / 62)


def test_both_legs_weigh_one_and_k_is_sixty() -> None:
    """R3.1"""
    words, meaning = VAULT.legs
    assert isinstance(words, ByWords)
    assert isinstance(meaning, ByMeaning)
    assert (words.weight, meaning.weight, VAULT.fusion) == (1.0, 1.0, RRF(k=60))


def test_the_legacy_formula_is_one_times_vector_plus_half_lexical() -> None:
    """R3.1: raw scores, by one setting"""
    legacy = replace(VAULT, fusion=Weighted(), adjustments=())
    made = scene(
        [note("a"), note("b")],
        words=hits("a", "b", scores=[7.0, 0.6]),
        meaning=hits("b", "a", scores=[0.9, 0.2]),
    )
    answer = made.ask(legacy, weights={"meaning": 1.0, "words": 0.5})
    assert {one.note_id: one.score for one in answer.results} == {
        "a": 1.0 * 0.2 + 0.5 * 7.0,
        "b": 1.0 * 0.9 + 0.5 * 0.6,
    }


def test_one_word_of_toml_switches_to_the_legacy_formula() -> None:
    """R3.1, R3.4"""
    text = write_recipe(VAULT).replace(
        'method = "rrf"\nk = 60\nranks = "position"', 'method = "weighted"'
    )
    assert read_recipe(text).fusion == Weighted()


def linked(count: int) -> list[Note]:
    return [note("hub", "alpha"), *(note(f"l{at}", links=(Link("hub"),)) for at in range(count))]


@pytest.mark.parametrize(
    ("count", "factor"), [(0, 1.0), (1, 1.1), (5, 1.5), (9, 1.9), (10, 2.0), (11, 2.0), (40, 2.0)]
)
def test_backlinks_boost_up_to_the_cap(count: int, factor: float) -> None:
    """R3.2"""
    plain = replace(VAULT, adjustments=(Backlinks(),))
    [result] = scene(linked(count), words=hits("hub")).ask(plain).results
    assert result.score == pytest.approx(1 / 61 * factor)
    assert (result.adjustments == ()) is (count == 0)


def test_backlinks_are_read_for_the_candidates_in_one_batch() -> None:
    """R3.2"""
    made = scene(linked(5), words=hits("hub", "l0"), meaning=hits("l1"))
    made.ask(VAULT)
    assert [sorted(batch) for batch in made.shelf.facts_calls] == [["hub", "l0", "l1"]]


TIERS: Mapping[int, float] = {
    0: 1.20,
    13: 1.20,
    14: 1.10,
    59: 1.10,
    60: 1.00,
    179: 1.00,
    180: 0.95,
    4000: 0.95,
}


@pytest.mark.parametrize(("days", "factor"), TIERS.items())
def test_every_tier_of_age_and_its_boundary(days: int, factor: float) -> None:
    """R3.3: a boundary belongs to the older tier."""
    made = scene([note("a", age_days=days)], words=hits("a"))
    [result] = made.ask(VAULT).results
    assert result.score == pytest.approx(1 / 61 * factor)


def test_a_tier_is_left_on_the_very_day() -> None:
    """R3.3: an age is counted in whole days."""
    almost = NOW - timedelta(days=14) + timedelta(microseconds=1)
    tiers = AgeTiers()
    for moment, factor in ((almost, 1.2), (NOW - timedelta(days=14), 1.1)):
        made = scene([note("a", modified_at=moment)], words=hits("a"))
        assert made.ask(replace(VAULT, adjustments=(tiers,))).results[0].score == 1 / 61 * factor


def test_age_goes_by_modification_and_not_by_creation() -> None:
    """R3.3"""
    made = scene([note("a", age_days=4000, modified_at=NOW)], words=hits("a"))
    assert made.ask(VAULT).results[0].score == pytest.approx(1 / 61 * 1.2)


def test_a_note_from_the_future_is_fresh() -> None:
    """R3.3: clocks differ; it is no error."""
    made = scene([note("a", age_days=-3)], words=hits("a"))
    assert made.ask(VAULT).results[0].score == pytest.approx(1 / 61 * 1.2)


def test_boosts_compose() -> None:
    """R3.2, R3.3: 1.5 by five backlinks, 1.2 by age"""
    hub, *others = linked(5)
    made = scene([replace(hub, modified_at=NOW), *others], words=hits("hub"))
    assert made.ask(VAULT).results[0].score == pytest.approx(1 / 61 * 1.5 * 1.2)


@pytest.mark.parametrize(
    ("old", "new", "score"),
    [
        ("weight = 0.1", "weight = 0.2", 1 / 61 * 2.0 * 1.2),
        ("cap = 10", "cap = 2", 1 / 61 * 1.2 * 1.2),
        ("k = 60", "k = 10", 1 / 11 * 1.5 * 1.2),
        ("fresh = 1.2", "fresh = 3.0", 1 / 61 * 1.5 * 3.0),
        ("fresh_days = 14", "fresh_days = 1", 1 / 61 * 1.5 * 1.1),
        ("weight = 0.1", "weight = 0", 1 / 61 * 1.2),
        ("older = 0.95\nenabled = true", "older = 0.95\nenabled = false", 1 / 61 * 1.5),
        ("cap = 10\nenabled = true", "cap = 10\nenabled = false", 1 / 61 * 1.2),
    ],
)
def test_every_number_of_the_recipe_changes_the_result(old: str, new: str, score: float) -> None:
    """R3.4"""
    hub, *others = linked(5)
    made = scene([replace(hub, modified_at=NOW - timedelta(days=5)), *others], words=hits("hub"))
    assert made.ask(changed(old, new)).results[0].score == pytest.approx(score)


@pytest.mark.parametrize(
    ("age", "old", "new", "factor"),
    [
        (30, "recent = 1.1", "recent = 2.0", 2.0),
        (30, "recent_days = 60", "recent_days = 20", 1.0),
        (100, "standard = 1.0", "standard = 0.5", 0.5),
        (100, "old_days = 180", "old_days = 90", 0.95),
        (400, "older = 0.95", "older = 0.1", 0.1),
    ],
)
def test_every_tier_is_a_setting(age: int, old: str, new: str, factor: float) -> None:
    """R3.4"""
    made = scene([note("a", age_days=age)], words=hits("a"))
    assert made.ask(changed(old, new)).results[0].score == pytest.approx(1 / 61 * factor)


def test_a_boost_switched_off_gives_no_reason_either() -> None:
    """R3.4"""
    off = replace(VAULT, adjustments=(Backlinks(weight=0), AgeTiers(enabled=False)))
    made = scene(linked(5), words=hits("hub"))
    assert made.ask(off).results[0].adjustments == ()


def test_backlinks_lift_an_authority_over_a_better_match() -> None:
    """R3.2"""
    made = scene([*linked(5), note("match")], words=hits("match", "hub"))
    assert ids(made.ask(VAULT)) == ["hub", "match"]
    assert ids(made.ask(replace(VAULT, adjustments=()))) == ["match", "hub"]


def test_the_judge_comes_after_the_boosts() -> None:
    """R3.6: off by default; when on, it sees the boosted order."""
    judge = SaidJudge(marks={"match": 1.0})
    made = scene([*linked(5), note("match")], words=hits("match", "hub"), judge=judge)
    assert made.ask(VAULT).trace.rerank_skipped_reason == "disabled"
    on = changed("skip_when_unanimous = true\nenabled = false", "enabled = true")
    answer = made.ask(on)
    assert judge.texts == ["alpha", "match"]
    assert ids(answer) == ["match", "hub"]
    assert answer.results[0].judged is not None
    assert answer.results[0].judged.rank_before == 2
