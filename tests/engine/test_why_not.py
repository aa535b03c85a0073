"""Why a note is not in the answer: each stage at which it can be lost has its own words."""

from dataclasses import replace
from typing import Any

import pytest

from recollect.encoders.hashing import Hashing
from recollect.engine.why_not import why_not
from recollect.model.errors import NotFound
from recollect.model.query import Query, Scope
from recollect.recipes.recipe import ByMeaning, ByWords, Recipe
from recollect.recipes.shelf import MEMORY, VAULT
from recollect.stores.memory import memory_store
from tests.building import EVERYTHING, NOW, Home, StillClock, note

WORDS_ONLY = replace(VAULT, legs=(ByWords(),))


@pytest.fixture
def home() -> Home:
    herons = [note(f"h{number}", f"heron {'heron ' * number}") for number in range(9)]
    return Home(memory_store(), Hashing()).learn(*herons, note("fox", "a fox"))


def reasons(
    home: Home, note_id: str, text: str, recipe: Recipe = WORDS_ONLY, **rest: Any
) -> tuple[str, ...]:
    query = Query(text, rest.pop("scope", EVERYTHING), NOW, **rest)
    return why_not(query, note_id, recipe, home.store.ports(StillClock(), home.embedder))


def test_a_note_that_is_there_is_said_to_be_there(home: Home) -> None:
    place, legs = reasons(home, "fox", "fox")
    assert place == "it is there, at 1"
    assert legs.startswith("found by words at 1")


def test_a_note_behind_the_limit_is_told_its_place(home: Home) -> None:
    answer = home.ask("heron", WORDS_ONLY, limit=9)
    last = answer.results[-1].note_id
    assert reasons(home, last, "heron", limit=3)[0] == "it stands at 9, and 3 are shown"


def test_a_note_below_the_floor_is_told_its_score(home: Home) -> None:
    last = home.ask("heron", WORDS_ONLY, limit=9).results[-1].note_id
    assert "is below the floor 0.99" in reasons(home, last, "heron", floor=0.99)[0]


def test_a_note_that_an_adjustment_pushed_back_is_told_which(home: Home) -> None:
    home.learn(note("old", "a heron of old", age_days=900))
    assert "pushed back by age × 0.95" in reasons(home, "old", "heron")[-1]


def test_a_note_beyond_a_legs_depth_is_told_how_far(home: Home) -> None:
    shallow = replace(WORDS_ONLY, legs=(ByWords(depth=2),))
    last = home.ask("heron", WORDS_ONLY, limit=9).results[-1].note_id
    [reason] = reasons(home, last, "heron", shallow)
    assert "it stands at words 9" in reason
    assert "asked for words 2" in reason


def test_a_note_that_no_leg_finds_is_told_so(home: Home) -> None:
    assert "no leg finds it" in reasons(home, "fox", "heron")[-1]


def test_a_leg_that_could_not_answer_is_named_first(home: Home) -> None:
    home.embedder = None
    first, last = reasons(home, "fox", "heron", VAULT)
    assert first.startswith("meaning did not answer (absent")
    assert "no leg finds it" in last


def test_a_note_of_another_space_is_told_which(home: Home) -> None:
    home.learn(note("away", "heron", space="away"))
    [reason] = reasons(home, "away", "heron")
    assert "'away'" in reason


def test_a_note_that_a_tag_leaves_out_is_not_found(home: Home) -> None:
    told = reasons(home, "fox", "fox", scope=Scope.of("home", tags=["bird"]))
    assert "the scope leaves it out" in told[-1]


def test_a_note_that_is_not_there_is_refused(home: Home) -> None:
    with pytest.raises(NotFound, match="'nobody'"):
        reasons(home, "nobody", "heron")


def test_every_leg_of_a_recipe_is_looked_into(home: Home) -> None:
    shallow = replace(MEMORY, legs=(ByWords(depth=1), ByMeaning(depth=1)))
    found = {one.note_id for one in home.ask("heron", shallow).results}
    missing = next(f"h{number}" for number in range(9) if f"h{number}" not in found)
    [reason] = reasons(home, missing, "heron", shallow)
    assert "words" in reason
    assert "meaning" in reason
