"""The hashing embedder: same words, same vector, on every machine."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.encoders.hashing import Hashing
from recollect.model.errors import BadInput


def similarity(one: str, other: str) -> float:
    first, second = Hashing().embed([one, other])
    return float(first @ second)


def test_its_identity_names_its_dimensions() -> None:
    assert (Hashing().identity, Hashing(64).identity) == ("hashing-256", "hashing-64")


def test_a_vector_is_the_same_in_every_process_and_on_every_machine() -> None:
    """Python's own hash() is salted per process; these axes and signs were written down once."""
    vector = Hashing(16).embed(["Paris is the capital of France, say nine maps"])[0]
    steps = {int(axis): float(vector[axis]) for axis in np.flatnonzero(vector)}
    unit = 5**-0.5
    assert steps == pytest.approx({5: -unit, 7: -unit, 8: unit, 10: -unit, 11: -unit})


@given(st.lists(st.text(), max_size=5))
def test_every_vector_has_unit_length_or_is_zero(texts: list[str]) -> None:
    vectors = Hashing(32).embed(texts)
    assert vectors.shape == (len(texts), 32)
    assert vectors.dtype == np.float32
    lengths = np.linalg.norm(vectors, axis=1)
    assert all(length == 0 or abs(length - 1) < 1e-5 for length in lengths)


@given(st.lists(st.text(), max_size=5))
def test_a_text_gets_the_same_vector_alone_and_in_company(texts: list[str]) -> None:
    together = Hashing().embed(texts)
    alone = [Hashing().embed([text])[0] for text in texts]
    assert all(np.array_equal(one, other) for one, other in zip(together, alone, strict=True))


@pytest.mark.parametrize("text", ["", "   ", "…!?"])
def test_a_text_without_words_is_the_zero_vector(text: str) -> None:
    assert not Hashing().embed([text]).any()


def test_shared_words_bring_texts_together() -> None:
    assert similarity("the red fox", "a red fox") > similarity("the red fox", "blue whales sing")


def test_case_and_punctuation_do_not_matter() -> None:
    assert similarity("Straße, FOX!", "fox STRASSE") == pytest.approx(1)


@pytest.mark.parametrize(("one", "other"), [("我喜欢喝茶", "喝茶很好"), ("ฉันชอบชา", "ชาดี")])
def test_text_without_spaces_is_taken_character_by_character(one: str, other: str) -> None:
    assert similarity(one, other) > 0.2


def test_zero_dimensions_are_refused_by_name() -> None:
    with pytest.raises(BadInput, match="dimensions: 0"):
        Hashing(0)
