"""A search whose gathering is kept: settled as often as one likes, the legs asked only when needed."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from recollect.engine.ask import settle
from recollect.engine.crew import Crew, may_wait
from recollect.engine.gather import Gathered, gather
from recollect.engine.plan import Plan, make_plan
from recollect.engine.present import Stopwatch
from recollect.model.answer import Answer, Degradation
from recollect.model.query import Query
from recollect.ports import Ports
from recollect.recipes.recipe import AnyFusion, ByFact, Recipe


@dataclass(frozen=True, slots=True)
class Held:
    """Ids and scores of one gathering, and what it had to do without. No text is kept."""

    query: Query
    recipe: Recipe
    gathered: Gathered
    degraded: tuple[Degradation, ...]
    leg_ms: Mapping[str, float]


def ask_and_hold(query: Query, recipe: Recipe, ports: Ports) -> tuple[Answer, Held]:
    """As `ask`, and what was gathered with it."""
    watch = Stopwatch(ports.clock)
    crew = Crew(ports.clock, query.deadline_ms, side_by_side=may_wait(ports))
    plan = make_plan(query, recipe, ports)
    with watch.stage("gather"):
        gathered = gather(plan, ports, crew)
    held = Held(query, recipe, gathered, tuple(crew.degraded), dict(crew.ms))
    return settle(gathered, plan, ports, crew, watch), held


def settle_again(
    held: Held, weights: Mapping[str, float], fusion: AnyFusion | None, ports: Ports
) -> tuple[Answer, Held]:
    """The same candidates under other weights or another fusion.

    A leg that was switched off, or failed, has brought nothing: once it is wanted, all are asked
    again. The links leg keeps the neighbours of the seeds that were best when it was asked.
    """
    query = replace(held.query, weights={**held.query.weights, **weights})
    recipe = held.recipe if fusion is None else fused_by(held.recipe, fusion)
    plan = make_plan(query, recipe, ports)
    if not _has_all(held.gathered, plan):
        return ask_and_hold(query, recipe, ports)
    crew = Crew(ports.clock, query.deadline_ms, side_by_side=may_wait(ports))
    crew.degraded.extend(held.degraded)
    crew.ms.update(held.leg_ms)
    gathered = _reweighed(held.gathered, plan)
    return settle(gathered, plan, ports, crew, Stopwatch(ports.clock)), held


def fused_by(recipe: Recipe, fusion: AnyFusion) -> Recipe:
    """The same recipe under this fusion, with a strong model and with a weak one."""
    weak = recipe.weak and replace(recipe.weak, fusion=fusion)
    return replace(recipe, fusion=fusion, weak=weak)


def _has_all(gathered: Gathered, plan: Plan) -> bool:
    wanted = {leg.name for leg in plan.legs if not isinstance(leg, ByFact)}
    return wanted <= {ranking.leg for ranking in gathered.rankings}


def _reweighed(gathered: Gathered, plan: Plan) -> Gathered:
    weights = {leg.name: leg.weight for leg in plan.legs}
    rankings = tuple(
        replace(ranking, weight=weights[ranking.leg])
        for ranking in gathered.rankings
        if ranking.leg in weights
    )
    return replace(gathered, rankings=rankings)
