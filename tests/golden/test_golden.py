"""One whole answer per recipe, as a person reads it. A change of order shows up here as a diff."""

import pytest

from recollect.recipes.shelf import SHELF
from tests.golden.home import answer_of
from tests.golden.write import FOLDER, golden_text


@pytest.mark.parametrize("recipe", SHELF)
def test_the_answer_is_the_one_on_record(recipe: str) -> None:
    assert golden_text(recipe) == (FOLDER / f"{recipe}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("recipe", SHELF)
def test_every_score_on_record_is_the_sum_of_its_parts(recipe: str) -> None:
    """R0.11"""
    answer = answer_of(recipe)
    assert answer.results
    for result in answer.results:
        assert result.replayed() == result.score
