"""The measures against their definitions, written out once more here."""

import math
import random
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from recollect.evaluate.measures import MEASURES, by_stratum, mean, measure_named, measured
from recollect.evaluate.runs import Found, Run, read_run, write_run
from recollect.model.errors import BadInput

Gains = Mapping[str, int]


def ndcg(order: list[str], gains: Gains) -> float:
    def total(values: list[int]) -> float:
        return sum(gain / math.log2(place + 2) for place, gain in enumerate(values[:10]))

    return total([gains.get(one, 0) for one in order]) / total(sorted(gains.values(), reverse=True))


def reciprocal(order: list[str], gains: Gains) -> float:
    return next((1 / place for place, one in enumerate(order, 1) if gains.get(one, 0) > 0), 0.0)


def average_precision(order: list[str], gains: Gains) -> float:
    hits, total = 0, 0.0
    for place, one in enumerate(order, 1):
        if gains.get(one, 0) > 0:
            hits += 1
            total += hits / place
    return total / sum(gain > 0 for gain in gains.values())


def hits_within(order: list[str], gains: Gains, depth: int) -> int:
    return sum(gains.get(one, 0) > 0 for one in order[:depth])


def recall(depth: int) -> Callable[[list[str], Gains], float]:
    return lambda order, gains: (
        hits_within(order, gains, depth) / sum(gain > 0 for gain in gains.values())
    )


def success(depth: int) -> Callable[[list[str], Gains], float]:
    return lambda order, gains: float(hits_within(order, gains, depth) > 0)


DEFINITIONS: Mapping[str, Callable[[list[str], Gains], float]] = {
    "nDCG@10": ndcg,
    "RR": reciprocal,
    "AP": average_precision,
    "P@3": lambda order, gains: hits_within(order, gains, 3) / 3,
    "R@5": recall(5),
    "R@10": recall(10),
    "R@100": recall(100),
    "Success@1": success(1),
    "Success@5": success(5),
    "Success@10": success(10),
}


def random_run(seed: int) -> tuple[Run, dict[str, dict[str, int]]]:
    """Many ties in the scores: the order that counts is the run's own."""
    chance = random.Random(seed)
    names = [f"d{at}" for at in range(150)]
    judgments, answers = {}, {}
    for at in range(40):
        gains = {one: chance.choice([0, 1, 1, 2, 3]) for one in chance.sample(names, 12)}
        judgments[f"q{at}"] = gains | {chance.choice(names): 1}
        order = chance.sample(names, chance.randrange(0, 130))
        scores = sorted((chance.choice([0.1, 0.5, 0.7]) for _ in order), reverse=True)
        answers[f"q{at}"] = tuple(map(Found, order, scores))
    return Run("random", answers), judgments


@pytest.mark.parametrize("seed", range(5))
def test_every_measure_agrees_with_its_definition(seed: int) -> None:
    run, judgments = random_run(seed)
    values = measured(run, judgments)
    assert [str(measure) for measure in values] == list(DEFINITIONS)
    for measure, own in values.items():
        for question, gains in judgments.items():
            order = [one.note_id for one in run.answers[question]]
            expected = DEFINITIONS[str(measure)](order, gains)
            assert own[question] == pytest.approx(expected, abs=1e-9), (measure, question)


def test_an_unanswered_question_scores_nothing_and_counts() -> None:
    run = Run("half", {"q1": (Found("d", 1.0),)})
    values = measured(run, {"q1": {"d": 1}, "q2": {"d": 1}})
    for measure, own in values.items():
        assert own["q2"] == 0.0, measure
    assert mean(values[measure_named("RR")].values()) == 0.5


def test_answers_to_questions_nobody_judged_count_for_nothing() -> None:
    run = Run("more", {"q1": (Found("d", 1.0),), "extra": (Found("d", 1.0),)})
    assert set(measured(run, {"q1": {"d": 1}})[measure_named("RR")]) == {"q1"}


def test_a_measure_is_spelled_alike_everywhere() -> None:
    for measure in MEASURES:
        assert measure_named(str(measure)) == measure
    assert measure_named("MRR") == measure_named("RR")
    with pytest.raises(BadInput, match=r"such are nDCG@10"):
        measure_named("goodness")


def test_strata_are_averaged_apart() -> None:
    assert by_stratum({"a": 1.0, "b": 0.0, "c": 0.5}, {"a": "x", "b": "x", "c": "y"}) == {
        "x": 0.5,
        "y": 0.5,
    }


def test_a_run_file_keeps_the_order_even_where_scores_tie(tmp_path: Path) -> None:
    run, _ = random_run(7)
    for name in ("one.run", "one.run.gz"):
        write_run(run, tmp_path / name)
        again = read_run(tmp_path / name)
        for question, own in run.answers.items():
            order = [one.note_id for one in again.answers.get(question, ())]
            assert order == [one.note_id for one in own]


def test_a_line_that_is_no_run_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.run").write_text("q1 Q0 d1 1 0.5 name\nq1 Q0 d1\n")
    with pytest.raises(BadInput, match=r"bad\.run:2"):
        read_run(tmp_path / "bad.run")
