"""A collection and a recipe in; a better recipe out, or the reason why there is none.

Fusion and its number first, then the weight of meaning, then the strength of each adjustment, each
chosen on one half of the questions. The other half decides: the recipe is kept only where the
interval of its gain excludes zero and no stratum drops. Legs and pools that follow use (access,
usefulness) are frozen: labels made from notes say nothing about what people open.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from recollect.evaluate.collections import Collection
from recollect.evaluate.compare import Comparison, compared
from recollect.evaluate.indexing import Progress, silent
from recollect.evaluate.measures import MAIN, Values, mean, measured
from recollect.evaluate.replay import Asked, ask_legs, replayed
from recollect.evaluate.sweep import ALPHAS, DEPTH, KS, WEIGHTS, first_half
from recollect.model.errors import BadInput
from recollect.open import Library
from recollect.recipes.recipe import Recipe
from recollect.retrieve.adjust import Adjustment, AgeTiers, Backlinks, ExactMatch, ImportancePrior
from recollect.retrieve.fuse import RRF, Convex, Distribution

LEAST_LABELS: Final = 20
TOLERANCE: Final = 0.005
"""A stratum that falls by more than this drops, shown or not."""

NORMAL: Final = 1.96  # 95 % of a normal distribution lie within so many deviations


@dataclass(frozen=True, slots=True)
class Tuning:
    """`recipe` is what was chosen; `reasons` is empty where it may be kept."""

    recipe: Recipe
    steps: tuple[str, ...]
    labels: int
    held_out: Comparison
    strata: Mapping[str, Comparison]
    reasons: tuple[str, ...]
    labels_needed: int | None

    @property
    def is_kept(self) -> bool:
        return not self.reasons


def tune(
    collection: Collection,
    library: Library,
    recipe: Recipe,
    name: str,
    progress: Progress = silent,
) -> Tuning:
    if len(collection.questions) < LEAST_LABELS:
        raise BadInput(
            "labels",
            len(collection.questions),
            f"are too few to learn from; {LEAST_LABELS} are not",
        )
    weak = library.embedder is not None and library.embedder.weak
    base = replace(recipe.leaning_on_words() if weak else recipe, weak=None)
    asked = ask_legs(collection, library, base, progress)
    choosing = first_half(one.id for one in collection.questions)

    def values(one: Recipe) -> Values:
        return _values(one, asked, collection, library)

    chosen, steps = _climb(base, lambda one: _mean_of(values(one), choosing))
    before, after = _held_out(values(base), choosing), _held_out(values(chosen), choosing)
    found = compared(before, after)
    strata = dict(_by_stratum(before, after, collection.strata()))
    kept = replace(chosen, name=name, about=f"{recipe.name}, tuned on {collection.name}")
    return Tuning(
        recipe=kept,
        steps=tuple(steps),
        labels=len(collection.questions),
        held_out=found,
        strata=strata,
        reasons=tuple(_reasons(found, strata, changed=bool(steps))),
        labels_needed=labels_needed(before, after),
    )


def labels_needed(before: Values, after: Values) -> int | None:
    """How many labels, both halves counted, would show a gain of this size; None for no gain."""
    change = np.array([after[key] - before[key] for key in sorted(before)])
    gain = float(change.mean())
    if gain <= 0:
        return None
    return 2 * math.ceil((NORMAL * float(change.std()) / gain) ** 2)


def candidates(recipe: Recipe) -> Iterator[tuple[str, Callable[[Recipe], Iterable[Recipe]]]]:
    """What is tried, one knob after the other; each knob starts from what was best so far."""
    names = {leg.name for leg in recipe.legs if leg.weight > 0}
    if {"words", "meaning"} <= names:
        yield "fusion", _fusions
        yield "weight of meaning", _weights
    for at, adjustment in enumerate(recipe.adjustments):
        if list(_strengths(adjustment)):
            yield adjustment.name, _adjusting(at)


def _climb(base: Recipe, value: Callable[[Recipe], float]) -> tuple[Recipe, list[str]]:
    best, reached, steps = base, value(base), []
    for knob, tried in candidates(base):
        scored = [(value(one), one) for one in tried(best)]
        top, recipe = max(scored, key=lambda pair: pair[0], default=(reached, best))
        if top > reached + 1e-9:
            steps.append(f"{knob}: {_told(knob, recipe)} ({reached:.4f} → {top:.4f})")
            best, reached = recipe, top
    return best, steps


def _fusions(recipe: Recipe) -> Iterator[Recipe]:
    own = recipe.fusion if isinstance(recipe.fusion, RRF) else RRF()
    yield from (replace(recipe, fusion=replace(own, k=float(k))) for k in KS)
    if any(one.kind == "bonus" and one.enabled for one in recipe.adjustments):
        return  # a bonus counts in reciprocal ranks, and so must the scores it is added to
    yield from (replace(recipe, fusion=Convex(alpha)) for alpha in ALPHAS)
    yield replace(recipe, fusion=Distribution())


def _weights(recipe: Recipe) -> Iterator[Recipe]:
    if not isinstance(recipe.fusion, Convex):  # alpha is its weight
        yield from (recipe.with_weights({"meaning": weight}) for weight in WEIGHTS)


def _adjusting(at: int) -> Callable[[Recipe], Iterator[Recipe]]:
    def tried(recipe: Recipe) -> Iterator[Recipe]:
        before, after = recipe.adjustments[:at], recipe.adjustments[at + 1 :]
        for one in _strengths(recipe.adjustments[at]):
            yield replace(recipe, adjustments=(*before, one, *after))

    return tried


def _strengths(adjustment: Adjustment) -> Iterator[Adjustment]:
    if isinstance(adjustment, Backlinks):
        yield replace(adjustment, enabled=False)
        yield from (replace(adjustment, weight=weight) for weight in (0.01, 0.02, 0.05, 0.1, 0.2))
    elif isinstance(adjustment, ImportancePrior):
        yield replace(adjustment, enabled=False)
        yield from (replace(adjustment, base=1 - span, span=span) for span in (0.1, 0.2, 0.3, 0.5))
    elif isinstance(adjustment, AgeTiers | ExactMatch):
        yield replace(adjustment, enabled=False)
        yield replace(adjustment, enabled=True)


def _told(knob: str, recipe: Recipe) -> str:
    if knob == "fusion":
        return repr(recipe.fusion)
    if knob == "weight of meaning":
        return next(f"{leg.weight:g}" for leg in recipe.legs if leg.name == "meaning")
    return next(repr(one) for one in recipe.adjustments if one.name == knob)


def _reasons(
    found: Comparison, strata: Mapping[str, Comparison], *, changed: bool
) -> Iterator[str]:
    if not changed:
        yield "no setting was better than the recipe as it is"
        return
    if not found.is_better:
        yield f"the interval of the gain, {found.low:+.4f} … {found.high:+.4f}, includes zero"
    for name, one in strata.items():
        if one.difference < -TOLERANCE or one.is_worse:
            yield f"stratum '{name}' drops by {-one.difference:.4f}"


def _by_stratum(
    before: Values, after: Values, strata: Mapping[str, str]
) -> Iterator[tuple[str, Comparison]]:
    for name in sorted({strata[key] for key in before}):
        own = [key for key in before if strata[key] == name]
        yield name, compared({key: before[key] for key in own}, {key: after[key] for key in own})


def _values(
    recipe: Recipe, asked: Sequence[Asked], collection: Collection, library: Library
) -> Values:
    run = replayed(asked, recipe, library.ports(), DEPTH)
    values: Mapping[Any, Values] = measured(run, collection.judgments, [MAIN])
    return values[MAIN]


def _mean_of(values: Values, choosing: frozenset[str]) -> float:
    return mean(values[question] for question in choosing)


def _held_out(values: Values, choosing: frozenset[str]) -> dict[str, float]:
    return {key: value for key, value in values.items() if key not in choosing}
