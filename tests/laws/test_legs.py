"""Laws of legs and weights: who is called, with what, and what a weight does."""

import pytest

from recollect.model.query import Scope
from recollect.recipes.recipe import ByFact, ByLinks, ByMeaning, ByWords, Leg, Recipe
from recollect.recipes.shelf import BRAIN, MEMORY, RECOLLECT, SHELF
from tests.building import NOW, days_ago, ids, note
from tests.fakes import Scene, hits, scene

LEGS = [
    pytest.param(recipe, leg, id=f"{name}-{leg.name}")
    for name, recipe in SHELF.items()
    for leg in recipe.legs
]
FINDING = [one for one in LEGS if not isinstance(one.values[1], ByFact)]


def divided(odd_one: Leg) -> Scene:
    """Every leg puts `a` before `b`, but for one, which puts `b` before `a`."""
    order, turned = hits("a", "b"), hits("b", "a")
    newer, used = ("b" if odd_one.name == name else "a" for name in ("created", "access"))
    made = scene(
        [note(name, age_days=10 if name == newer else 11) for name in ("a", "b")],
        words=turned if isinstance(odd_one, ByWords) else order,
        meaning=turned if isinstance(odd_one, ByMeaning) else order,
        links=turned if isinstance(odd_one, ByLinks) else order,
    )
    made.store.usage.used([used], NOW)
    return made


@pytest.mark.parametrize(("recipe", "leg"), LEGS)
def test_the_weight_of_every_leg_of_every_recipe_turns_some_order_around(
    recipe: Recipe, leg: Leg
) -> None:
    """R0.2: a weight that is read and never used fails here."""
    made = divided(leg)
    assert ids(made.ask(recipe, weights={leg.name: 5.0})) == ["b", "a"]
    assert ids(
        made.ask(
            recipe,
            weights={leg.name: 0.01}
            if len(recipe.legs) > 2
            else {leg.name: 0.01, next(o.name for o in recipe.legs if o.name != leg.name): 1.0},
        )
    ) == ["a", "b"]


@pytest.mark.parametrize(("recipe", "leg"), LEGS)
def test_a_weight_shows_in_the_share_it_multiplies(recipe: Recipe, leg: Leg) -> None:
    """R0.2"""
    for weight in (0.5, 2.5):
        for result in divided(leg).ask(recipe, weights={leg.name: weight}).results:
            share = result.legs[leg.name]
            assert share.weight == weight
            assert share.contribution == weight / (60 + share.rank)


def calls(made: Scene) -> dict[str, int]:
    return {
        "words": made.words.calls,
        "meaning": made.vectors.calls + made.embedder.calls,
        "links": made.graph.calls,
    }


@pytest.mark.parametrize(("recipe", "leg"), FINDING)
def test_a_leg_of_weight_zero_is_never_called_and_brings_in_nothing(
    recipe: Recipe, leg: Leg
) -> None:
    """R0.2, R4.3"""
    everyone = ("a", "b", "only words", "only meaning", "only links")
    made = scene(
        [note(name, path=f"{at}.md") for at, name in enumerate(everyone)],
        words=hits("a", "b", "only words"),
        meaning=hits("a", "b", "only meaning", *(["only words"] if recipe is RECOLLECT else [])),
        links=hits("a", "only links"),
        recent=("a", "b", "only meaning"),
    )
    others = {other.name: 1.0 for other in recipe.legs if other is not leg}
    answer = made.ask(recipe, weights=others | {leg.name: 0.0}, limit=10)
    assert calls(made)[leg.name] == 0
    assert f"only {leg.name}" not in ids(answer)
    assert leg.name not in answer.trace.leg_counts
    assert all(leg.name not in result.legs for result in answer.results)
    made.ask(recipe, weights=others | {leg.name: 1.0}, limit=10)
    assert calls(made)[leg.name] > 0


@pytest.mark.parametrize("fact", ["created", "access"])
def test_a_fact_of_weight_zero_gives_no_share(fact: str) -> None:
    """R0.2"""
    answer = scene([note("a")], meaning=hits("a")).ask(RECOLLECT, weights={fact: 0.0})
    assert set(answer.results[0].legs) == {"meaning", "created", "access"} - {fact}


def test_one_and_the_same_scope_reaches_every_leg() -> None:
    """R0.9"""
    scope = Scope.of(
        "home",
        "work",
        sessions=["s"],
        projects=["p"],
        tags=["t"],
        since=days_ago(9),
        before=days_ago(1),
        excluded=["x"],
    )
    made = scene([note("a"), note("b")], words=hits("a"), meaning=hits("a", "b"))
    for recipe in SHELF.values():
        made.ask(recipe, scope=scope, weights={"words": 1.0})
    made.words.says = ()
    made.ask(BRAIN, "unheard of", scope=scope)
    for port in (made.words, made.vectors, made.graph, made.slugs):
        assert port.scopes, port
        assert all(one == scope for one in port.scopes), port


@pytest.mark.parametrize("empty", ["words", "meaning", "links"])
def test_an_empty_leg_leaves_the_answer_as_if_it_had_not_been_asked(empty: str) -> None:
    """R0.4: order, scores, normalised scores and reasons."""
    found = {leg: hits("b", "a", "c") for leg in ("words", "meaning", "links")} | {empty: ()}
    made = scene(
        [note(name) for name in "abc"],
        words=found["words"],
        meaning=found["meaning"],
        links=found["links"],
    )
    asked = made.ask(MEMORY)
    unasked = made.ask(MEMORY, weights={empty: 0.0})
    assert asked.results == unasked.results


def test_every_value_is_read_once_before_any_sort() -> None:
    """R0.8: one embedding, one search per leg, one batch of facts for all candidates."""
    made = scene(
        [note(name) for name in "abcd"],
        words=hits("a", "b"),
        meaning=hits("b", "c"),
        links=hits("d"),
    )
    made.ask(MEMORY)
    assert (made.words.calls, made.vectors.calls, made.embedder.calls, made.graph.calls) == (
        (1, 1, 1, 1)
    )
    assert [sorted(batch) for batch in made.shelf.facts_calls] == [["a", "b", "c", "d"]]
    made.shelf.facts_calls.clear()
    made.ask(RECOLLECT)
    assert len(made.shelf.facts_calls) == 1
