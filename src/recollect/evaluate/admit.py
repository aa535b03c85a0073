"""A part of a recipe in, whether it may be on out: a bar for the gain and a budget for the time."""

from typing import Final

from recollect.evaluate.collections import Collection
from recollect.evaluate.compare import compared
from recollect.evaluate.indexing import Progress, silent
from recollect.evaluate.measures import MAIN
from recollect.evaluate.run import evaluate, latency_of
from recollect.model.errors import BadInput
from recollect.open import Library
from recollect.recipes.decisions import RERANK, Decision, with_part
from recollect.recipes.recipe import Recipe

BUDGET_MS: Final = 240.0  # R1.8: what a whole recollection may take
BAR: Final = 0.0


def admit(
    collection: Collection,
    library: Library,
    recipe: Recipe,
    part: str,
    *,
    bar: float = BAR,
    budget_ms: float = BUDGET_MS,
    progress: Progress = silent,
) -> Decision:
    """Admitted where even the low end of the gain's interval exceeds the bar and the slowest
    twentieth of the searches starts within the budget."""
    if part == RERANK and library.judge is None:
        raise BadInput("part", part, "needs a judge; name one with --rerank")
    without = evaluate(
        collection, library, with_part(recipe, part, enabled=False), progress=progress
    )
    having = evaluate(collection, library, with_part(recipe, part), progress=progress)
    found = compared(without.values[MAIN], having.values[MAIN])
    p95 = latency_of(having.ms).p95
    return Decision(
        recipe=recipe.name,
        part=part,
        admitted=found.low > bar and p95 <= budget_ms,
        measure=str(MAIN),
        gain=found.difference,
        low=found.low,
        high=found.high,
        bar=bar,
        p95_ms=p95,
        budget_ms=budget_ms,
        questions=found.questions,
        p95_without_ms=latency_of(without.ms).p95,
    )
