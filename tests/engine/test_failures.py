"""What breaks is named and left out, unless nothing would be left or the recipe needs it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest

from recollect.encoders.hashing import Hashing
from recollect.model.errors import (
    BadInput,
    EncoderError,
    LegFailed,
    NotReady,
    SearchFailed,
    StoreError,
)
from recollect.model.note import Facts
from recollect.recipes.recipe import ByLinks, ByMeaning, ByWords
from recollect.recipes.shelf import BRAIN, CHAT, MEMORY, RECOLLECT
from recollect.stores.memory import memory_store
from tests.building import Home, ids, note
from tests.fakes import CountingShelf, SaidJudge, Scene, hits, scene


def made() -> Scene:
    return scene(
        [note(name) for name in "abc"], words=hits("a"), meaning=hits("b"), links=hits("c")
    )


@pytest.mark.parametrize(
    ("port", "part", "left"),
    [
        ("words", "words", ["b", "c"]),
        ("vectors", "meaning", ["a", "c"]),
        ("embedder", "meaning", ["a", "c"]),
        ("graph", "links", ["a", "b"]),
    ],
)
def test_a_failing_leg_leaves_the_others_and_is_named(
    port: str, part: str, left: list[str]
) -> None:
    """R4.6"""
    own = made()
    getattr(own, port).error = OSError("no route to host")
    answer = own.ask(MEMORY)
    assert sorted(ids(answer)) == left
    [degraded] = answer.degraded
    assert (degraded.part, degraded.code) == (part, "failed")
    assert degraded.why == "OSError: no route to host"
    assert (answer.trace.error_stage == "bm25") is (part == "words")


def test_a_model_that_is_still_loading_is_warming() -> None:
    own = made()
    own.embedder.error = NotReady("loading weights")
    answer = own.ask(BRAIN)
    assert [(one.part, one.code) for one in answer.degraded] == [("meaning", "warming")]
    assert ids(answer) == ["a"]


def test_a_timeout_of_the_leg_itself_is_a_failure_and_not_lateness() -> None:
    own = made()
    own.words.error = TimeoutError("the server gave up")
    [degraded] = own.ask(BRAIN).degraded
    assert (degraded.code, degraded.why) == ("failed", "TimeoutError: the server gave up")


def test_every_leg_failing_is_an_error_that_names_each() -> None:
    own = made()
    own.words.error, own.vectors.error = OSError("one"), OSError("two")
    with pytest.raises(SearchFailed, match=r"words .*one; meaning .*two"):
        own.ask(MEMORY)


def test_no_leg_finding_anything_is_no_failure() -> None:
    answer = scene([note("a")]).ask(MEMORY)
    assert (answer.results, answer.degraded) == ((), ())


def test_nobody_asked_is_an_empty_answer_and_no_failure() -> None:
    """R0.2: with the weights of all finding legs at 0 there is nothing to fail."""
    answer = made().ask(MEMORY, weights={"words": 0, "meaning": 0})
    assert answer.results == ()
    assert made().ask(BRAIN, weights={"words": 0, "meaning": 0}).results == ()


@pytest.mark.parametrize(
    ("leg", "port"),
    [(ByWords(required=True), "words"), (ByMeaning(required=True), "vectors")],
)
def test_a_required_leg_that_fails_stops_the_search(leg: ByWords | ByMeaning, port: str) -> None:
    own = made()
    getattr(own, port).error = OSError("gone")
    legs = tuple(leg if one.name == leg.name else one for one in MEMORY.legs)
    with pytest.raises(LegFailed, match=f"leg '{leg.name}' is required .*gone"):
        own.ask(replace(MEMORY, legs=legs))


def test_a_required_links_leg_that_fails_or_is_absent_stops_the_search() -> None:
    recipe = replace(MEMORY, legs=(*MEMORY.legs[:2], ByLinks(required=True)))
    own = made()
    own.graph.error = OSError("gone")
    with pytest.raises(LegFailed, match=r"leg 'links' is required .*gone"):
        own.ask(recipe)
    own.has_graph = False
    with pytest.raises(LegFailed, match="keeps no links"):
        own.ask(recipe)


def test_a_store_without_links_says_so() -> None:
    own = made()
    own.has_graph = False
    assert [(one.part, one.code) for one in own.ask(MEMORY).degraded] == [("links", "absent")]


def test_bad_input_found_by_a_leg_is_never_swallowed() -> None:
    own = made()
    own.words.error = BadInput("query", "x", "is not understood here")
    with pytest.raises(BadInput, match="not understood"):
        own.ask(BRAIN)


def test_a_pool_that_cannot_be_read_leaves_what_the_words_found() -> None:
    """R1.2"""

    @dataclass
    class NoRecents:
        may_wait: bool = False
        own: Scene = field(default_factory=made)

        def __getattr__(self, name: str) -> object:
            return getattr(self.own.vectors, name)

        def recently_accessed(self, model: str, scope: object, count: int) -> Sequence[str]:
            raise OSError("index missing")

    own = scene([note("a"), note("b")], words=hits("a"), meaning=hits("a", "b"))
    own.vectors = NoRecents(own=replace(own))  # type: ignore[assignment]
    answer = own.ask(RECOLLECT)
    assert ids(answer) == ["a"]
    assert [(one.part, one.code) for one in answer.degraded] == [("pool", "failed")]


def test_a_query_the_model_finds_nothing_in_is_told() -> None:
    """A vector of zeros is near nothing: it must not rank every note by chance."""
    own = Home(memory_store(), Hashing()).learn(note("a", "Ⓐ"), note("b", "other"))
    answer = own.ask("Ⓐ", CHAT, weights={"words": 1.0})
    assert ids(answer) == ["a"]
    assert [(one.part, one.code) for one in answer.degraded] == [("meaning", "failed")]


@pytest.mark.parametrize("scores", [[], [1.0], [1.0, 2.0, 3.0], [float("nan"), 1.0]])
def test_a_judge_that_miscounts_or_gives_no_numbers_is_not_believed(scores: list[float]) -> None:
    """R2.7"""
    own = scene([note("a"), note("b")], words=hits("a", "b"), judge=SaidJudge(scores=scores))
    answer = own.ask(BRAIN)
    assert ids(answer) == ["a", "b"]
    assert [(one.part, one.code) for one in answer.degraded] == [("rerank", "failed")]
    assert (answer.trace.reranked, answer.trace.rerank_skipped_reason) == (False, "failed")
    assert all(one.judged is None for one in answer.results)


def test_a_judge_that_breaks_leaves_the_order() -> None:
    own = scene(
        [note("a"), note("b")],
        words=hits("a", "b"),
        judge=SaidJudge(error=EncoderError("out of memory")),
    )
    answer = own.ask(BRAIN)
    assert ids(answer) == ["a", "b"]
    assert "out of memory" in answer.degraded[0].why


def test_a_note_that_vanished_since_a_leg_found_it_is_dropped() -> None:
    own = scene([note("a"), note("b")], words=hits("a", "b"), meaning=hits("a"))
    own.shelf.forgetting = frozenset({"a"})
    answer = own.ask(BRAIN)
    assert ids(answer) == ["b"]
    assert answer.results[0].score == 1 / 61
    assert answer.trace.leg_counts == {"words": 1, "meaning": 0}


def test_a_note_that_never_was_is_dropped() -> None:
    own = scene([note("a")], words=hits("ghost", "a"))
    assert ids(own.ask(BRAIN)) == ["a"]


def test_a_note_of_a_foreign_space_is_an_error_of_the_store() -> None:
    """R0.9: never an answer"""
    own = scene([note("a"), note("spy", space="elsewhere")], words=hits("a", "spy"))
    with pytest.raises(StoreError, match="1 notes from outside"):
        own.ask(BRAIN)


def test_a_shelf_that_breaks_is_not_hidden() -> None:
    class Broken(CountingShelf):
        def facts(self, note_ids: Iterable[str]) -> Mapping[str, Facts]:
            raise StoreError("the disk is full")

    own = made()
    own.shelf = Broken(own.shelf.shelf)
    with pytest.raises(StoreError, match="disk is full"):
        own.ask(BRAIN)
