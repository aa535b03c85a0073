"""R3.7: a recipe taken apart. The legacy formula, each leg alone, each boost alone, all together."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from recollect.recipes.recipe import ByMeaning, ByWords, Recipe, Rerank
from recollect.retrieve.fuse import Weighted

LEGACY_WORDS: Final = 0.5  # seed 003: 1.0·vector + 0.5·lexical, raw scores
LEGACY_MEANING: Final = 1.0


def variants(recipe: Recipe, *, judged: bool = False) -> Iterator[Recipe]:
    """The first is the baseline that the others are compared with. With a judge at hand, the
    recipe stands there with it and without."""
    bare = replace(recipe, adjustments=(), rerank=None, weak=None)
    names = {leg.name for leg in recipe.legs}
    if {"words", "meaning"} <= names:
        yield named("legacy weighted", _legacy(bare))
    yield named("fused, no boosts", bare)
    for leg in recipe.legs:
        if isinstance(leg, ByWords | ByMeaning) and leg.weight > 0:
            yield named(f"{leg.name} alone", replace(bare, legs=(leg,)))
    for adjustment in recipe.adjustments:
        on = replace(adjustment, enabled=True)  # type: ignore[type-var]
        yield named(f"fused + {adjustment.name}", replace(bare, adjustments=(on,)))
    whole = replace(recipe, rerank=None)
    yield named("all together", whole)
    if judged:
        rerank = replace(recipe.rerank or Rerank(document="passage"), enabled=True)
        yield named("all together + rerank", replace(whole, rerank=rerank))


def named(name: str, recipe: Recipe) -> Recipe:
    return replace(recipe, name=name)


def _legacy(recipe: Recipe) -> Recipe:
    legs = tuple(leg for leg in recipe.legs if isinstance(leg, ByWords | ByMeaning))
    weights = {"words": LEGACY_WORDS, "meaning": LEGACY_MEANING}
    return replace(recipe, legs=legs, fusion=Weighted()).with_weights(weights)
