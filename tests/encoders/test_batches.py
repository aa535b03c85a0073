"""Grouping texts by length."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.encoders.batches import batches

LENGTHS = st.lists(st.integers(min_value=1, max_value=300), max_size=40)


@given(LENGTHS)
def test_every_text_is_in_exactly_one_group(lengths: list[int]) -> None:
    positions = [position for group in batches(lengths, 256) for position in group]
    assert sorted(positions) == list(range(len(lengths)))


@given(LENGTHS)
def test_a_group_fits_the_budget_or_is_one_text(lengths: list[int]) -> None:
    for group in batches(lengths, 256):
        assert len(group) == 1 or len(group) * max(lengths[n] for n in group) <= 256


def test_texts_of_like_length_run_together() -> None:
    assert list(batches([100, 3, 90, 4], 200)) == [[1, 3], [2, 0]]
