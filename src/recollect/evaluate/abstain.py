"""What off-corpus questions find in a library, and how well that tells whether an answer is there.

Four kinds of questions are told apart: answerable ones; off-corpus ones about things no such notes
speak of; near misses, which are the answerable ones with their answers hidden; and those that the
collection itself calls unanswerable, where it has any. The last two are the honest test: everything
about them fits but the answer is not there.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import numpy as np

from recollect.engine.ask import ask
from recollect.evaluate.collections import Collection, Question
from recollect.evaluate.indexing import Progress, silent
from recollect.evaluate.run import query_of
from recollect.model.errors import NotFound
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
    """Answering only above this confidence: how many answerable questions still get an answer, how
    often an answer is wrong (`risk_with_near_misses`: of answers to as many near misses too), and
    how many of the others are answered all the same."""

    threshold: float
    coverage: float
    risk: float
    risk_with_near_misses: float
    near_misses: float
    unanswerable: float | None
    off_corpus: float


@dataclass(frozen=True, slots=True)
class Curve:
    points: tuple[Point, ...]
    at_threshold: Point
    told_apart: Mapping[str, float]
    """How often an answerable question is surer than one of the other kind: a half is chance."""


@dataclass(frozen=True, slots=True)
class _Sure:
    """How sure each question of each kind was; of the answerable ones also whether rightly."""

    answerable: Sequence[tuple[float, bool]]
    near: Sequence[float]
    off: Sequence[float]
    unanswerable: Sequence[float]


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
    answerable: list[tuple[float, bool]] = []
    near: list[float] = []

    def asked(question: Question) -> tuple[float, frozenset[str]]:
        best, found = _asked(question, now, library, recipe)
        progress(1)
        return calibration.confidence(best), frozenset(found)

    for question in collection.questions:
        right = {key for key, gain in collection.judgments[question.id].items() if gain > 0}
        confidence, found = asked(question)
        answerable.append((confidence, bool(right & found)))
        near.append(asked(replace(question, hidden=question.hidden | right))[0])
    sure = _Sure(
        answerable,
        near,
        off=[calibration.confidence(own) for own in nulls[1::2]],
        unanswerable=[asked(question)[0] for question in collection.unanswerable],
    )
    return Curve(
        points=tuple(_point(level, sure) for level in _levels(answerable)),
        at_threshold=_point(calibration.threshold, sure),
        told_apart=_told_apart(sure),
    )


def _levels(answerable: Sequence[tuple[float, bool]]) -> list[float]:
    """Every answer given, then a tenth of them fewer each time, the least sure ones first."""
    rising = sorted(confidence for confidence, _ in answerable)
    places = (len(rising) * tenth // 10 - 1 for tenth in range(1, 10))
    return [0.0, *(rising[at] for at in places if at >= 0)]


def with_unanswerable(collection: Collection, strata: frozenset[str]) -> Collection:
    """The questions of these strata are unanswerable, whatever stands among their judgments."""
    known = set(collection.strata().values())
    for name in sorted(strata - known):
        raise NotFound("stratum", name, known)
    trick = tuple(one for one in collection.questions if one.stratum in strata)
    return replace(
        collection,
        questions=tuple(one for one in collection.questions if one.stratum not in strata),
        unanswerable=(*collection.unanswerable, *trick),
    )


def _asked(
    question: Question, now: datetime, library: Library, recipe: Recipe
) -> tuple[Mapping[str, float], list[str]]:
    query = query_of(question, now, limit=LOOKED_AT)
    answer = ask(query, recipe, library.ports())
    return answer.trace.leg_best, [one.note_id for one in answer.results]


def _point(threshold: float, sure: _Sure) -> Point:
    answered = [right for confidence, right in sure.answerable if confidence > threshold]
    wrong, tricked = answered.count(False), sum(one > threshold for one in sure.near)
    return Point(
        threshold=threshold,
        coverage=len(answered) / len(sure.answerable),
        risk=wrong / len(answered) if answered else 0.0,
        risk_with_near_misses=(
            (wrong + tricked) / (len(answered) + tricked) if answered or tricked else 0.0
        ),
        near_misses=_share(sure.near, threshold),
        unanswerable=_share(sure.unanswerable, threshold) if sure.unanswerable else None,
        off_corpus=_share(sure.off, threshold),
    )


def _share(confidences: Sequence[float], threshold: float) -> float:
    return sum(one > threshold for one in confidences) / len(confidences) if confidences else 0.0


def _told_apart(sure: _Sure) -> dict[str, float]:
    """The area under the ROC curve, ties counted half (Mann and Whitney 1947)."""
    kinds = {
        "near misses": sure.near,
        "unanswerable": sure.unanswerable,
        "off-corpus": sure.off,
    }
    confident = np.array([confidence for confidence, _ in sure.answerable])[:, np.newaxis]
    return {
        kind: float((confident > own).mean() + (confident == own).mean() / 2)
        for kind, given in kinds.items()
        if len(own := np.array(given))
    }


def curve_rows(found: Curve) -> Iterator[tuple[str, ...]]:
    yield (
        "confidence above", "answered", "of these wrong", "with near misses",
        "near misses answered", "unanswerable", "off-corpus",
    )  # fmt: skip
    for point in (*found.points, found.at_threshold):
        mark = " (threshold)" if point is found.at_threshold else ""
        shares = (point.coverage, point.risk, point.risk_with_near_misses, point.near_misses)
        rest = (point.unanswerable, point.off_corpus)
        told = ("–" if share is None else f"{share:.1%}" for share in (*shares, *rest))
        yield (f"{point.threshold:.3f}{mark}", *told)
