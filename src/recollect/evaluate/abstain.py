"""What off-corpus questions find in a library, and how well that tells whether an answer is there.

Three kinds of questions are told apart: answerable ones; off-corpus ones about things no such notes
speak of; and near misses, which are the answerable ones with their answers hidden. Near misses are
the honest test: everything about them fits but the answer is not there.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from recollect.engine.ask import ask
from recollect.evaluate.collections import Collection, Question
from recollect.evaluate.indexing import Progress, silent
from recollect.evaluate.run import query_of
from recollect.model.query import Query, Scope
from recollect.open import Library
from recollect.recipes.recipe import Recipe
from recollect.retrieve.abstain import Calibration

CONFIDENT: Final = 0.95
"""This share of off-corpus questions is told that nothing relevant is there."""

LOOKED_AT: Final = 5
"""An answer is found where it stands among so many."""

PATTERNS: Final = (
    "how long does it take to {} in winter",
    "what did my neighbour say about {}",
    "which tools do I need to {}",
    "the best season to {} near the coast",
    "is it allowed to {} without a licence",
    "cost of learning to {} as an adult",
)
TOPICS: Final = (
    "shear a sheep", "tune a harpsichord", "bake sourdough rye", "breed angelfish",
    "polish a telescope mirror", "judge a figure skating final", "forge a kitchen knife",
    "restore a fresco", "fly a hot-air balloon", "harvest saffron", "repair a grandfather clock",
    "train a falcon", "weave a willow basket", "dive for sponges", "press olive oil",
    "carve a puppet",
)  # fmt: skip


def off_corpus() -> tuple[str, ...]:
    """Everyday questions about trades and pastimes; few notes answer more than one or two."""
    return tuple(pattern.format(topic) for topic in TOPICS for pattern in PATTERNS)


@dataclass(frozen=True, slots=True)
class Point:
    """Answering only at this confidence or above: how many answerable questions still get an
    answer, how often an answer is wrong, how many near misses are answered all the same."""

    threshold: float
    coverage: float
    risk: float
    near_misses: float
    off_corpus: float


@dataclass(frozen=True, slots=True)
class Curve:
    points: tuple[Point, ...]
    at_threshold: Point


def calibrate(best: Sequence[Mapping[str, float]]) -> Calibration:
    """From the best scores of each leg for off-corpus questions."""
    legs = sorted({leg for own in best for leg in own})
    nulls = {leg: tuple(sorted(own[leg] for own in best if leg in own)) for leg in legs}
    unset = Calibration(nulls, 0.0)
    rising = sorted(unset.confidence(own) for own in best)
    return replace(unset, threshold=rising[int(CONFIDENT * (len(rising) - 1))] if rising else 0.0)


def null_scores(library: Library, recipe: Recipe, scope: Scope) -> list[Mapping[str, float]]:
    now = library.clock.now()
    ports = library.ports()
    return [ask(Query(text, scope, now), recipe, ports).trace.leg_best for text in off_corpus()]


def curve(
    collection: Collection, library: Library, recipe: Recipe, progress: Progress = silent
) -> Curve:
    """Calibrated on every other off-corpus question, reported on the rest."""
    everywhere = replace(collection.questions[0].scope(), projects=None, excluded=frozenset())
    nulls = null_scores(library, recipe, everywhere)
    calibration = calibrate(nulls[::2])
    now = collection.now()
    sure: list[tuple[float, bool]] = []
    near: list[float] = []
    for question in collection.questions:
        right = {key for key, gain in collection.judgments[question.id].items() if gain > 0}
        best, found = _asked(question, now, library, recipe)
        sure.append((calibration.confidence(best), bool(right & set(found))))
        hidden = replace(question, hidden=question.hidden | right)
        best, _ = _asked(hidden, now, library, recipe)
        near.append(calibration.confidence(best))
        progress(1)
    off = [calibration.confidence(own) for own in nulls[1::2]]
    levels = [round(0.1 * step, 1) for step in range(11)]
    points = tuple(_point(level, sure, near, off) for level in levels)
    return Curve(points, _point(calibration.threshold, sure, near, off))


def _asked(
    question: Question, now: datetime, library: Library, recipe: Recipe
) -> tuple[Mapping[str, float], list[str]]:
    query = query_of(question, now, limit=LOOKED_AT)
    answer = ask(query, recipe, library.ports())
    return answer.trace.leg_best, [one.note_id for one in answer.results]


def _point(
    threshold: float,
    sure: Sequence[tuple[float, bool]],
    near: Sequence[float],
    off: Sequence[float],
) -> Point:
    answered = [right for confidence, right in sure if confidence > threshold]
    return Point(
        threshold=threshold,
        coverage=len(answered) / len(sure),
        risk=1 - sum(answered) / len(answered) if answered else 0.0,
        near_misses=_share(near, threshold),
        off_corpus=_share(off, threshold),
    )


def _share(confidences: Iterable[float], threshold: float) -> float:
    own = list(confidences)
    return sum(one > threshold for one in own) / len(own) if own else 0.0


def curve_rows(found: Curve) -> Iterator[tuple[str, ...]]:
    yield "confidence above", "answered", "of these wrong", "near misses answered", "off-corpus"
    for point in (*found.points, found.at_threshold):
        mark = " (threshold)" if point is found.at_threshold else ""
        shares = (point.coverage, point.risk, point.near_misses, point.off_corpus)
        yield (f"{point.threshold:.3f}{mark}", *(f"{share:.1%}" for share in shares))
