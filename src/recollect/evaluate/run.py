"""A recipe over a collection in; what it answered, how well and how fast out."""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from ir_measures.measures import Measure

from recollect.engine.ask import stand
from recollect.engine.crew import Crew, may_wait
from recollect.engine.gather import gather
from recollect.engine.plan import make_plan
from recollect.engine.present import Stopwatch, present
from recollect.evaluate.collections import Collection, Question
from recollect.evaluate.indexing import Progress, silent
from recollect.evaluate.measures import MEASURES, Values, by_stratum, mean, measured
from recollect.evaluate.runs import Found, Run
from recollect.model.query import Query
from recollect.open import Library
from recollect.ports import Ports
from recollect.recipes.recipe import Recipe
from recollect.retrieve.cut import cut

DEPTH: Final = 100
"""As deep as the deepest measure looks."""


@dataclass(frozen=True, slots=True)
class Latency:
    p50: float
    p95: float
    most: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one recipe came to on one collection."""

    collection: str
    recipe: str
    model: str
    run: Run
    values: Mapping[Measure, Values]
    strata: Mapping[str, str]
    ms: tuple[float, ...] = ()

    def overall(self) -> dict[Measure, float]:
        return {measure: mean(own.values()) for measure, own in self.values.items()}

    def by_stratum(self, measure: Measure) -> dict[str, float]:
        return by_stratum(self.values[measure], self.strata)

    def latency(self) -> Latency | None:
        return latency_of(self.ms) if self.ms else None


def evaluate(
    collection: Collection,
    library: Library,
    recipe: Recipe,
    *,
    measures: Sequence[Measure] = MEASURES,
    progress: Progress = silent,
    **rest: Any,
) -> Outcome:
    """Every question asked as a user would ask it, in its own scope, at its own time."""
    answers: dict[str, tuple[Found, ...]] = {}
    took: list[float] = []
    ports, now = library.ports(), collection.now()
    for question in collection.questions:
        answers[question.id], ms = _asked(query_of(question, now, **rest), recipe, ports)
        took.append(ms)
        progress(1)
    run = Run(recipe.name, answers)
    values = measured(run, collection.judgments, measures)
    model = library.embedder.identity if library.embedder else "none"
    return Outcome(
        collection.name, recipe.name, model, run, values, collection.strata(), tuple(took)
    )


def _asked(query: Query, recipe: Recipe, ports: Ports) -> tuple[tuple[Found, ...], float]:
    """As the engine asks, and ranked as deep as measures look; but only what the recipe shows a
    user is presented, so that the time is what a user waits."""
    watch = Stopwatch(ports.clock)
    crew = Crew(ports.clock, query.deadline_ms, side_by_side=may_wait(ports))
    plan = make_plan(query, recipe, ports)
    standing = stand(gather(plan, ports, crew), plan, ports, crew, watch)
    kept, _ = cut(standing.order, standing.normalised, plan.floor, plan.limit)
    present(kept[: recipe.limit], standing, plan, ports)
    return tuple(Found(one, standing.scores[one]) for one in kept), watch.total_ms()


def query_of(question: Question, now: datetime, **rest: Any) -> Query:
    moment = question.asked_at or now
    return Query(question.text, question.scope(), moment, **({"limit": DEPTH} | rest))


def latency_of(ms: Iterable[float]) -> Latency:
    own = sorted(ms)
    at95 = own[min(len(own) - 1, round(0.95 * (len(own) - 1)))]
    return Latency(statistics.median(own), at95, own[-1])
