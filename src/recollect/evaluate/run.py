"""A recipe over a collection in; what it answered, how well and how fast out."""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from ir_measures.measures import Measure

from recollect.engine.ask import ask
from recollect.evaluate.collections import Collection, Question
from recollect.evaluate.indexing import Progress, silent
from recollect.evaluate.measures import MEASURES, Values, by_stratum, mean, measured
from recollect.evaluate.runs import Found, Run
from recollect.model.query import Query
from recollect.open import Library
from recollect.recipes.recipe import Recipe

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
        answer = ask(query_of(question, now, **rest), recipe, ports)
        took.append(answer.took_ms)
        answers[question.id] = tuple(Found(one.note_id, one.score) for one in answer.results)
        progress(1)
    run = Run(recipe.name, answers)
    values = measured(run, collection.judgments, measures)
    model = library.embedder.identity if library.embedder else "none"
    return Outcome(
        collection.name, recipe.name, model, run, values, collection.strata(), tuple(took)
    )


def query_of(question: Question, now: datetime, **rest: Any) -> Query:
    moment = question.asked_at or now
    return Query(question.text, question.scope(), moment, **({"limit": DEPTH} | rest))


def latency_of(ms: Iterable[float]) -> Latency:
    own = sorted(ms)
    at95 = own[min(len(own) - 1, round(0.95 * (len(own) - 1)))]
    return Latency(statistics.median(own), at95, own[-1])
