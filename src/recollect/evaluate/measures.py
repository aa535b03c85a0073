"""Runs and judgments in, numbers out, per question. Computed by ir-measures, spelled as it spells them.

A question that a run leaves unanswered scores 0. `RR` averaged is MRR, `AP` averaged is MAP, and
`Success@5` is what others call recall-any@5.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import ir_measures
from ir_measures import AP, RR, P, R, Success, nDCG
from ir_measures.measures import Measure

from recollect.evaluate.collections import Judgments
from recollect.evaluate.runs import Run
from recollect.model.errors import BadInput

MEASURES: Final[tuple[Measure, ...]] = (
    nDCG @ 10, RR, AP, P @ 3, R @ 5, R @ 10, R @ 100, Success @ 1, Success @ 5, Success @ 10,
)  # fmt: skip
MAIN: Final[Measure] = nDCG @ 10

Values = Mapping[str, float]
"""By question."""


def measure_named(text: str) -> Measure:
    try:
        return ir_measures.parse_measure(text)
    except (NameError, ValueError) as error:
        known = ", ".join(map(str, MEASURES))
        raise BadInput("measure", text, f"is no measure; such are {known}") from error


def measured(
    run: Run, judgments: Judgments, measures: Sequence[Measure] = MEASURES
) -> dict[Measure, Values]:
    """Every measure of every judged question."""
    values: dict[Measure, dict[str, float]] = {
        one: dict.fromkeys(judgments, 0.0) for one in measures
    }
    for found in ir_measures.iter_calc(measures, judgments, _scored_by_place(run, judgments)):
        if found.query_id in judgments:
            values[found.measure][found.query_id] = found.value
    return {**values}


def mean(values: Iterable[float]) -> float:
    own = list(values)
    return math.fsum(own) / len(own) if own else 0.0


def by_stratum(values: Values, strata: Mapping[str, str]) -> dict[str, float]:
    """The mean within each stratum, by its name."""
    grouped: dict[str, list[float]] = defaultdict(list)
    for question, value in values.items():
        grouped[strata[question]].append(value)
    return {name: mean(grouped[name]) for name in sorted(grouped)}


def _scored_by_place(run: Run, judgments: Judgments) -> dict[str, dict[str, float]]:
    """trec_eval breaks ties by id; a score by place keeps the order that was really given."""
    return {
        question: {one.note_id: -float(place) for place, one in enumerate(own)}
        for question, own in run.answers.items()
        if question in judgments
    }
