"""A total order: scores, then the recipe's tie-break, then the id, whatever came first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.model.note import Facts
from recollect.model.ranking import Hit, Ranking
from recollect.retrieve.order import TieBreak, fused_order, sorted_by
from tests.building import NOW, days_ago


def facts(note_id: str, path: str = "same.md", age: float = 0, importance: float = 0.5) -> Facts:
    return Facts(note_id, path, "", "", "", days_ago(age), NOW, importance)


@pytest.mark.parametrize("ties", ["path", "newest"])
@given(names=st.permutations("abcdef"))
def test_the_last_resort_is_the_id(ties: TieBreak, names: list[str]) -> None:
    """R0.6"""
    known = {name: facts(name) for name in names}
    assert fused_order(dict.fromkeys(names, 1.0), known, [], ties) == sorted(names)


@pytest.mark.parametrize(
    ("ties", "expected"), [("path", ["b", "a", "c"]), ("newest", ["c", "b", "a"])]
)
def test_the_recipe_names_its_tie_break(ties: TieBreak, expected: list[str]) -> None:
    """R0.6"""
    known = {
        "a": facts("a", "2.md", age=3),
        "b": facts("b", "1.md", age=2),
        "c": facts("c", "3.md", age=1),
    }
    assert fused_order(dict.fromkeys("abc", 1.0), known, [], ties) == expected
    assert fused_order({"a": 3.0, "b": 1.0, "c": 2.0}, known, [], ties) == ["a", "c", "b"]


def test_ties_by_legs_come_as_the_first_leg_brought_them() -> None:
    """R4.1"""
    lists = [
        Ranking("meaning", 1.0, (Hit("c", 1.0), Hit("a", 0.5))),
        Ranking("words", 1.0, (Hit("b", 1.0), Hit("c", 0.5))),
    ]
    known = {name: facts(name) for name in "abc"}
    assert fused_order(dict.fromkeys("abc", 1.0), known, lists, "legs") == ["c", "a", "b"]


def test_sorting_by_a_fact_keeps_equals_in_order_of_relevance() -> None:
    """R5.2"""
    known = {
        "a": facts("a", age=1, importance=0.2),
        "b": facts("b", age=2, importance=0.9),
        "c": facts("c", age=1, importance=0.9),
    }
    assert sorted_by(["b", "c", "a"], known, "recency") == ["c", "a", "b"]
    assert sorted_by(["a", "c", "b"], known, "importance") == ["c", "b", "a"]
    assert sorted_by(["a", "c", "b"], known, "relevance") == ["a", "c", "b"]
