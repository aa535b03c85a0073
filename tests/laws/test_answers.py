"""Laws of a whole answer, on random stores, questions and recipes."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.encoders.hashing import Hashing
from recollect.model.note import Note
from recollect.model.query import Scope
from recollect.recipes.recipe import Recipe
from recollect.recipes.shelf import CHAT, MEMORY, SHELF, VAULT
from recollect.retrieve.adjust import Backlinks
from recollect.retrieve.fuse import RRF, Convex, Distribution, Weighted
from recollect.stores.memory import memory_store
from tests.building import NOW, Home, ids, note
from tests.fakes import SaidJudge
from tests.laws.strategies import note_sets, questions

MANY = settings(max_examples=25, deadline=None)
RECIPES = [pytest.param(recipe, id=name) for name, recipe in SHELF.items()]
MODEL = Hashing(64)
JUDGE = SaidJudge(marks={"gamma": 0.9, "beta": 0.5})


def home(notes: list[Note], *, used: tuple[str, ...] = ()) -> Home:
    own = Home(memory_store(), MODEL, JUDGE).learn(*notes)
    own.store.usage.used(used, NOW)
    return own


def talking(recipe: Recipe) -> Recipe:
    """Chat keeps its words leg off until told otherwise; here it speaks."""
    return recipe.with_weights({"words": 1.0}) if recipe is CHAT else recipe


@pytest.mark.parametrize("recipe", RECIPES)
@MANY
@given(notes=note_sets(), text=questions, limit=st.integers(1, 12))
def test_contributions_then_adjustments_reproduce_every_score_exactly(
    recipe: Recipe, notes: list[Note], text: str, limit: int
) -> None:
    """R0.11"""
    for result in home(notes, used=("n0", "n2")).ask(text, talking(recipe), limit=limit).results:
        assert result.replayed() == result.score


@pytest.mark.parametrize("fusion", [RRF(k=3), Convex(0.3), Distribution(), Weighted()])
@MANY
@given(notes=note_sets(), text=questions)
def test_the_decomposition_holds_for_every_fusion(
    fusion: RRF | Convex | Distribution | Weighted, notes: list[Note], text: str
) -> None:
    """R0.11"""
    for base in (MEMORY, VAULT):
        for result in home(notes).ask(text, replace(base, fusion=fusion)).results:
            assert result.replayed() == result.score


@pytest.mark.parametrize("recipe", [one for one in RECIPES if one.id != "chat"])
@MANY
@given(notes=note_sets(), text=questions, limit=st.integers(1, 8), more=st.integers(0, 8))
def test_a_longer_limit_keeps_the_shorter_answer_as_its_prefix(
    recipe: Recipe, notes: list[Note], text: str, limit: int, more: int
) -> None:
    """R0.7"""
    own = home(notes)
    short = own.ask(text, recipe, limit=limit).results
    long = own.ask(text, recipe, limit=limit + more).results
    assert long[: len(short)] == short
    assert len(short) == min(limit, len(own.ask(text, recipe, limit=1000).results))


@pytest.mark.parametrize("recipe", RECIPES)
@MANY
@given(notes=note_sets(), text=questions)
def test_the_same_query_twice_has_an_equal_answer(
    recipe: Recipe, notes: list[Note], text: str
) -> None:
    """R0.10"""
    own = home(notes)
    assert own.ask(text, talking(recipe)) == own.ask(text, talking(recipe))


@pytest.mark.parametrize("recipe", RECIPES)
@MANY
@given(notes=note_sets(), text=questions, chance=st.randoms(use_true_random=False))
def test_the_order_in_which_notes_were_learned_is_never_seen(
    recipe: Recipe, notes: list[Note], text: str, chance: Random
) -> None:
    """R0.6: the order is total; ties end at the id."""
    shuffled = list(notes)
    chance.shuffle(shuffled)
    assert home(notes).ask(text, talking(recipe)) == home(shuffled).ask(text, talking(recipe))


@pytest.mark.parametrize("recipe", RECIPES)
def test_notes_that_tie_in_everything_come_in_the_order_of_their_ids(recipe: Recipe) -> None:
    """R0.6"""
    same = [note(name, "alpha", path="same.md") for name in ("c", "a", "d", "b")]
    answer = home(same).ask("alpha", talking(recipe), limit=4)
    assert ids(answer) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("recipe", RECIPES)
@MANY
@given(notes=note_sets(), text=questions)
def test_every_note_stands_once(recipe: Recipe, notes: list[Note], text: str) -> None:
    found = ids(home(notes).ask(text, talking(recipe), limit=1000))
    assert len(found) == len(set(found))


@pytest.mark.parametrize("recipe", RECIPES)
@MANY
@given(
    notes=note_sets(),
    text=questions,
    hidden=st.sets(st.sampled_from([f"n{number}" for number in range(9)])),
)
def test_what_a_scope_excludes_is_brought_in_by_no_leg(
    recipe: Recipe, notes: list[Note], text: str, hidden: set[str]
) -> None:
    """R0.9"""
    scope = Scope.of("home", excluded=hidden)
    answer = home(notes).ask(text, talking(recipe), scope, limit=1000)
    assert hidden.isdisjoint(ids(answer))


@MANY
@given(notes=note_sets(), text=questions)
def test_with_only_the_words_answering_memory_gives_exactly_the_lexical_order(
    notes: list[Note], text: str
) -> None:
    """R0.4, R5.3: no embedder and no links: scores are 1/(60 + rank), whatever the importance."""
    own = Home(memory_store()).learn(*(replace(one, links=()) for one in notes))
    answer = own.ask(text, MEMORY, limit=1000)
    assert [result.legs["words"].rank for result in answer.results] == list(
        range(1, len(answer.results) + 1)
    )
    assert [result.score for result in answer.results] == [
        1 / (60 + rank) for rank in range(1, len(answer.results) + 1)
    ]


@MANY
@given(notes=note_sets(), text=questions)
def test_scores_never_rise_down_an_unjudged_answer(notes: list[Note], text: str) -> None:
    for recipe in SHELF.values():
        own = Home(memory_store(), MODEL).learn(*notes)
        scores = [one.score for one in own.ask(text, talking(recipe), limit=1000).results]
        assert scores == sorted(scores, reverse=True)


@MANY
@given(notes=note_sets(), text=questions)
def test_asking_changes_nothing_in_the_store(notes: list[Note], text: str) -> None:
    """R0.10"""
    own = home(notes)
    names = [one.id for one in notes]
    before = (own.store.shelf.notes(names), own.store.shelf.facts(names))
    for recipe in SHELF.values():
        own.ask(text, talking(recipe))
    assert (own.store.shelf.notes(names), own.store.shelf.facts(names)) == before


def test_the_decomposition_shows_every_part_of_a_boosted_score() -> None:
    """R0.11: a vault note with backlinks and a fresh date, taken apart by hand."""
    linking = [note(f"l{n}", "other words", links=()) for n in range(3)]
    recipe = replace(VAULT, adjustments=(Backlinks(), *VAULT.adjustments[1:]))
    own = home([note("a", "alpha", age_days=1), *linking])
    [result] = own.ask("alpha", recipe, mode="bm25").results
    assert result.legs["words"].contribution == 1 / 61
    assert [(step.name, step.kind, step.amount) for step in result.adjustments] == [
        ("age", "factor", 1.2)
    ]
    assert result.score == 1 / 61 * 1.2
