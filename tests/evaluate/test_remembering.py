"""Questions are embedded once, also when they are asked again another day."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from recollect.encoders.hashing import Hashing
from recollect.evaluate.collections import Collection, read_collection
from recollect.evaluate.indexing import indexed
from recollect.evaluate.remembering import Remembering, remembering
from recollect.open import Library
from tests.evaluate.small import write_collection


class Counting(Hashing):
    """How many texts it was given."""

    count = 0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.count += len(texts)
        return super().embed(texts)


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    return read_collection(write_collection(tmp_path / "small"))


@pytest.fixture
def library(collection: Collection, tmp_path: Path) -> Iterator[Library]:
    with indexed(collection, "hashing", cache=tmp_path / "cache") as library:
        yield library


def test_a_text_is_embedded_once_and_as_its_model_does() -> None:
    model = Counting()
    own = Remembering(model)
    first = own.embed(["a fox", "a hen"])
    assert (own.embed(["a hen"])[0] == first[1]).all()
    assert (Hashing().embed(["a fox"])[0] == first[0]).all()
    assert model.count == 2


def test_questions_are_kept_beside_the_index_for_the_next_time(
    collection: Collection, library: Library
) -> None:
    counts = []
    for _ in range(2):
        library.embedder = model = Counting()
        with remembering(collection, library):
            library.ask(collection.questions[0].text)
        assert library.embedder is model
        counts.append(model.count)
    assert counts == [len(collection.questions), 0]


def test_another_model_has_questions_of_its_own(collection: Collection, library: Library) -> None:
    with remembering(collection, library):
        pass
    library.embedder = model = Counting()
    model.identity = "http://elsewhere/other:model"
    with remembering(collection, library):
        pass
    assert model.count == len(collection.questions)


def test_without_a_model_there_is_nothing_to_remember(
    collection: Collection, tmp_path: Path
) -> None:
    with (
        indexed(collection, None, cache=tmp_path / "words") as words_only,
        remembering(collection, words_only),
    ):
        assert words_only.embedder is None
