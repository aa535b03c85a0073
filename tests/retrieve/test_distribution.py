"""Distribution-based score fusion, by hand."""

import pytest

from recollect.model.ranking import Hit, Ranking
from recollect.retrieve.fuse import Distribution, fuse


def test_a_score_is_placed_between_three_deviations_below_and_above_the_mean() -> None:
    """Mean 2, deviation 1: from -1 to 5."""
    scores = fuse(Distribution(), [Ranking("l", 2.0, (Hit("a", 3.0), Hit("b", 1.0)))]).scores
    assert scores == pytest.approx({"a": 2 * (3 + 1) / 6, "b": 2 * (1 + 1) / 6})


def test_what_lies_lower_still_counts_as_nothing() -> None:
    """R0.1: never as less than being absent"""
    crowd = tuple(Hit(f"n{at}", 1.0) for at in range(20))
    scores = fuse(Distribution(), [Ranking("l", 1.0, (*crowd, Hit("outlier", 0.0)))]).scores
    assert scores["outlier"] == 0.0


def test_where_nothing_tells_them_apart_all_stand_in_the_middle() -> None:
    scores = fuse(Distribution(), [Ranking("l", 0.6, (Hit("a", 3.0), Hit("b", 3.0)))]).scores
    assert scores == {"a": 0.3, "b": 0.3}
    assert fuse(Distribution(), [Ranking("l", 1.0, (Hit("a", 9.0),))]).scores == {"a": 0.5}
