"""A model that loads in the background says so, and is itself afterwards."""

import threading

import numpy as np
import pytest

from recollect.encoders.hashing import Hashing
from recollect.encoders.warming import Warming
from recollect.model.errors import EncoderError, NotReady
from recollect.recipes.shelf import MEMORY
from recollect.stores.memory import memory_store
from tests.building import Home, note
from tests.fakes import OneVector

PATIENCE = 10.0


class Slow(OneVector):
    """Loads only when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()

    def act(self) -> None:
        self.go.wait(PATIENCE)
        super().act()


def test_until_it_is_loaded_it_is_not_ready_and_then_it_is_the_model() -> None:
    slow, told = Slow(), threading.Event()
    warming = Warming(slow, told.set)
    assert not warming.ready
    with pytest.raises(NotReady, match="one-vector is still loading"):
        warming.embed(["a"])
    slow.go.set()
    assert warming.wait(PATIENCE)
    assert told.wait(PATIENCE)
    assert np.array_equal(warming.embed(["a"]), slow.embed(["a"]))


def test_it_has_the_models_own_marks() -> None:
    own = Hashing(64)
    warming = Warming(own)
    marks = (warming.identity, warming.dimensions, warming.may_wait, warming.weak)
    assert marks == (own.identity, 64, False, False)


def test_a_model_that_cannot_be_loaded_says_why() -> None:
    warming = Warming(OneVector(error=EncoderError("no such file")))
    assert not warming.wait(PATIENCE)
    with pytest.raises(EncoderError, match="could not be loaded: no such file"):
        warming.embed(["a"])


def test_words_answer_meanwhile_and_the_answer_says_so() -> None:
    store, slow = memory_store(), Slow()
    Home(store).learn(note("a", "alpha"))
    home = Home(store, Warming(slow))
    answer = home.ask("alpha", MEMORY)
    slow.go.set()
    assert [one.note_id for one in answer.results] == ["a"]
    assert [(one.part, one.code) for one in answer.degraded] == [("meaning", "warming")]
