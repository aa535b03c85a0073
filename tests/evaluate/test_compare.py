"""How sure a difference is."""

import random

import numpy as np
import pytest

from recollect.evaluate.compare import SEED, bootstrap, compared, randomisation
from recollect.model.errors import BadInput


def values(seed: int, count: int = 60) -> dict[str, float]:
    chance = random.Random(seed)
    return {f"q{at:03}": chance.random() for at in range(count)}


def test_the_same_values_give_the_same_numbers_in_any_order() -> None:
    before, after = values(1), values(2)
    shuffled = dict(reversed(before.items()))
    assert compared(before, after) == compared(shuffled, after)


def test_nothing_changed_is_no_difference() -> None:
    same = compared(values(1), values(1))
    assert (same.difference, same.low, same.high, same.p) == (0.0, 0.0, 0.0, 1.0)
    assert (same.won, same.lost, same.tied) == (0, 0, 60)
    assert same.moved == ()
    assert same.verdict == "no difference shown"


def test_a_plain_gain_is_seen_and_a_plain_loss_too() -> None:
    before = values(1)
    after = {key: value + 0.1 for key, value in before.items()}
    assert compared(before, after).verdict == "better"
    assert compared(after, before).verdict == "worse"
    assert compared(before, after).p < 0.001


def test_won_lost_and_tied_count_every_question_once() -> None:
    found = compared({"a": 0.5, "b": 0.5, "c": 0.5}, {"a": 1.0, "b": 0.1, "c": 0.5})
    assert (found.won, found.lost, found.tied) == (1, 1, 1)
    assert [one.question for one in found.moved] == ["a", "b"]


def test_the_bootstrap_is_what_drawing_question_by_question_gives() -> None:
    change = np.array(list(values(3).values())) - 0.5
    generator = np.random.default_rng(SEED)
    means = [
        sum(change[at] for at in generator.integers(0, len(change), len(change))) / len(change)
        for _ in range(2000)
    ]
    expected = np.quantile(means, (0.025, 0.975))
    assert bootstrap(change, 2000) == pytest.approx(tuple(expected), abs=1e-9)


def test_the_randomisation_test_nears_the_exact_one() -> None:
    change = np.array([0.3, 0.2, -0.1, 0.25, 0.05, 0.1, 0.2, -0.05, 0.15, 0.1])
    signs = np.array(np.meshgrid(*[[-1, 1]] * 10)).reshape(10, -1).T
    exact = float((np.abs(signs @ change) >= abs(change.sum()) - 1e-9).mean())
    assert randomisation(change, 50_000) == pytest.approx(exact, abs=0.005)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    chance = np.random.default_rng(5)
    held = 0
    for seed in range(200):
        low, high = bootstrap(chance.normal(0.02, 0.2, 100), 1000, seed)
        held += low <= 0.02 <= high
    assert 0.88 <= held / 200 <= 0.99


def test_runs_over_different_questions_are_not_compared() -> None:
    with pytest.raises(BadInput, match="'q2' was asked of one system only"):
        compared({"q1": 1.0}, {"q1": 1.0, "q2": 0.0})
