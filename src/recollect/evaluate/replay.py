"""Each leg asked once, then fused again and again: what a sweep over fusions needs.

A replay gives exactly what asking would give, for recipes that differ in weights, fusion and
adjustments only; who is found, and how deep, was settled when the legs were asked.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from recollect.engine.candidates import Candidates, read_candidates
from recollect.engine.crew import Crew
from recollect.engine.gather import gather
from recollect.engine.plan import Plan, make_plan
from recollect.engine.standing import circumstances
from recollect.evaluate.collections import Collection
from recollect.evaluate.indexing import Progress, silent
from recollect.evaluate.run import query_of
from recollect.evaluate.runs import Found, Run
from recollect.model.ranking import Ranking
from recollect.open import Library
from recollect.ports import Ports
from recollect.recipes.alternatives import PLAIN
from recollect.recipes.recipe import Recipe
from recollect.retrieve.adjust import adjust
from recollect.retrieve.fuse import fuse
from recollect.retrieve.order import adjusted_order, fused_order


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with what its legs brought."""

    question: str
    plan: Plan
    candidates: Candidates


def ask_legs(
    collection: Collection,
    library: Library,
    recipe: Recipe = PLAIN,
    progress: Progress = silent,
) -> list[Asked]:
    """The recipe as it is written: a weak model's leaning is one of the things to be measured."""
    ports, now = library.ports(), collection.now()
    whole = replace(recipe, weak=None)
    asked: list[Asked] = []
    for question in collection.questions:
        plan = make_plan(query_of(question, now), whole, ports)
        crew = Crew(ports.clock, None, side_by_side=False)
        candidates = read_candidates(gather(plan, ports, crew), plan, ports)
        asked.append(Asked(question.id, plan, candidates))
        progress(1)
    return asked


def replayed(
    asked: Iterable[Asked], recipe: Recipe, ports: Ports, depth: int, name: str = ""
) -> Run:
    answers = {one.question: _found(one, recipe, ports)[:depth] for one in asked}
    return Run(name or recipe.name, answers)


def _found(asked: Asked, recipe: Recipe, ports: Ports) -> tuple[Found, ...]:
    facts = asked.candidates.facts
    plan = replace(asked.plan, recipe=recipe)
    fused = fuse(recipe.fusion, _weighted(asked.candidates.rankings, recipe))
    order = fused_order(fused.scores, facts, fused.rankings, recipe.ties)
    scores = fused.scores
    if recipe.adjustments:
        at = circumstances(plan, fused, ports)
        scores = adjust(fused.scores, facts, recipe.adjustments, at)
        order = adjusted_order(order, scores)
    return tuple(Found(note, scores[note]) for note in order)


def _weighted(rankings: Iterable[Ranking], recipe: Recipe) -> list[Ranking]:
    weights = {leg.name: leg.weight for leg in recipe.legs}
    return [replace(one, weight=weights[one.leg]) for one in rankings if weights.get(one.leg)]
