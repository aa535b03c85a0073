"""A query's whole path: plan, gather, then settle: read facts, fuse, adjust, judge, cut, present.

Stages take values and return values; this conductor alone knows their order and keeps the trace.
Gathering asks the legs; settling puts what they brought in order, and can do so again under other
weights or another fusion without asking them twice.
"""

from recollect.engine.candidates import read_candidates
from recollect.engine.crew import Crew, may_wait
from recollect.engine.gather import Gathered, gather
from recollect.engine.judge import ask_judge
from recollect.engine.plan import Plan, make_plan
from recollect.engine.present import Stopwatch, present, trace_of
from recollect.engine.standing import Standing, circumstances
from recollect.model.answer import Answer
from recollect.model.query import Query
from recollect.ports import Ports
from recollect.recipes.recipe import Recipe
from recollect.retrieve.adjust import adjust
from recollect.retrieve.cut import cut
from recollect.retrieve.fuse import fuse
from recollect.retrieve.order import adjusted_order, fused_order, sorted_by
from recollect.retrieve.rerank import reordered


def ask(query: Query, recipe: Recipe, ports: Ports) -> Answer:
    watch = Stopwatch(ports.clock)
    crew = Crew(ports.clock, query.deadline_ms, side_by_side=may_wait(ports))
    plan = make_plan(query, recipe, ports)

    with watch.stage("gather"):
        gathered = gather(plan, ports, crew)
    return settle(gathered, plan, ports, crew, watch)


def settle(gathered: Gathered, plan: Plan, ports: Ports, crew: Crew, watch: Stopwatch) -> Answer:
    """What the legs brought in, the answer out; no leg is asked."""
    standing = stand(gathered, plan, ports, crew, watch)
    with watch.stage("cut"):
        kept, below_floor = cut(standing.order, standing.normalised, plan.floor, plan.limit)
        results = present(kept, standing, plan, ports)

    trace = trace_of(plan, gathered, standing, below_floor, crew, watch)
    return Answer(results, watch.total_ms(), tuple(crew.degraded), trace)


def stand(gathered: Gathered, plan: Plan, ports: Ports, crew: Crew, watch: Stopwatch) -> Standing:
    """Where every candidate stands, before any is left out or shown."""
    with watch.stage("facts"):
        candidates = read_candidates(gathered, plan, ports)
        facts = candidates.facts
    with watch.stage("fuse"):
        fused = fuse(plan.recipe.fusion, candidates.rankings)
        order = fused_order(fused.scores, facts, fused.rankings, plan.recipe.ties)
    with watch.stage("adjust"):
        at = circumstances(plan, fused, ports)
        scores = adjust(fused.scores, facts, plan.recipe.adjustments, at)
        order = sorted_by(adjusted_order(order, scores), facts, plan.query.sort_by)
    with watch.stage("rerank"):
        verdict = ask_judge(order, candidates, plan, ports, crew)
        judged = reordered(order, verdict.scores)
    return Standing(candidates, fused, at, scores, order, judged, verdict)
