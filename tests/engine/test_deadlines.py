"""What is late is left out and named; what may wait waits side by side. On a real clock."""

import threading
import time

import pytest

from recollect.model.errors import LegFailed, SearchFailed
from recollect.recipes.shelf import BRAIN, MEMORY, RECOLLECT
from tests.building import ids, note
from tests.fakes import RealClock, SaidJudge, Scene, hits, scene

DEADLINE_MS = 150
ASLEEP = 2.0
MARGIN = 0.6


def patient(**rest: object) -> Scene:
    made = scene(
        [note(name) for name in "abc"], words=hits("a"), meaning=hits("b"), links=hits("c")
    )
    made.clock = RealClock()
    for name, value in rest.items():
        setattr(made, name, value)
    return made


@pytest.mark.parametrize(
    ("port", "part", "left"),
    [
        ("words", "words", {"b", "c"}),
        ("vectors", "meaning", {"a", "c"}),
        ("embedder", "meaning", {"a", "c"}),
        ("graph", "links", {"a", "b"}),
    ],
)
def test_a_leg_that_sleeps_is_left_out_and_named_late(port: str, part: str, left: set[str]) -> None:
    made = patient()
    getattr(made, port).seconds = ASLEEP
    began = time.monotonic()
    answer = made.ask(MEMORY, deadline_ms=DEADLINE_MS)
    assert time.monotonic() - began < DEADLINE_MS / 1000 + MARGIN
    assert (part, "late") in [(one.part, one.code) for one in answer.degraded]
    assert "150 ms" in answer.degraded[0].why
    # with no time left, whether links are still followed is up to the machine
    assert left - {"c"} <= set(ids(answer)) <= left


def test_a_judge_that_sleeps_is_left_out_and_the_order_stays() -> None:
    made = patient(judge=SaidJudge(marks={"b": 1.0}, seconds=ASLEEP))
    began = time.monotonic()
    answer = made.ask(BRAIN, deadline_ms=DEADLINE_MS)
    assert time.monotonic() - began < DEADLINE_MS / 1000 + MARGIN
    assert ids(answer) == ["a", "b"]
    assert answer.trace.rerank_skipped_reason == "failed"
    assert [(one.part, one.code) for one in answer.degraded] == [("rerank", "late")]


def test_every_leg_late_is_an_empty_answer_that_says_so() -> None:
    made = patient()
    made.words.seconds = made.vectors.seconds = ASLEEP
    answer = made.ask(BRAIN, deadline_ms=50)
    assert ids(answer) == []
    assert {(one.part, one.code) for one in answer.degraded} == {
        ("words", "late"),
        ("meaning", "late"),
    }


def test_one_leg_late_and_the_other_broken_is_an_error() -> None:
    made = patient()
    made.words.seconds = ASLEEP
    made.vectors.error = RuntimeError("two")
    with pytest.raises(SearchFailed, match=r"words \(late\).*|meaning \(failed\).*"):
        made.ask(BRAIN, deadline_ms=200)


def test_a_required_leg_that_is_late_is_an_error() -> None:
    made = patient()
    made.embedder.seconds = ASLEEP
    with pytest.raises(LegFailed, match="no answer within 50 ms"):
        made.ask(RECOLLECT, deadline_ms=50)


def test_a_deadline_that_is_kept_leaves_nothing_out() -> None:
    made = patient()
    answer = made.ask(MEMORY, deadline_ms=60_000)
    assert answer.degraded == ()
    assert set(ids(answer)) == {"a", "b", "c"}


def test_late_threads_never_hold_up_the_exit() -> None:
    made = patient()
    made.words.seconds = 0.5
    made.ask(BRAIN, deadline_ms=20)
    late = [one for one in threading.enumerate() if one.name == "recollect-words"]
    assert late
    assert all(one.daemon for one in late)


def test_legs_that_may_wait_wait_at_the_same_time() -> None:
    """R3.1"""
    made = patient()
    made.words.may_wait = made.embedder.may_wait = True
    made.words.seconds = made.embedder.seconds = 0.25
    made.ask(BRAIN)
    [(words_began, words_ended)] = made.words.spans
    [(embedding_began, embedding_ended)] = made.embedder.spans
    assert max(words_began, embedding_began) < min(words_ended, embedding_ended)


def test_legs_that_never_wait_start_no_thread() -> None:
    before = threading.active_count()
    seen: list[int] = []

    class Watching(RealClock):
        def seconds(self) -> float:
            seen.append(threading.active_count())
            return super().seconds()

    patient(clock=Watching()).ask(MEMORY)
    assert set(seen) == {before}


def test_the_time_of_every_leg_is_told() -> None:
    """R2.11"""
    made = patient()
    made.words.seconds = 0.05
    answer = made.ask(MEMORY)
    assert set(answer.trace.leg_ms) == {"words", "meaning", "links"}
    assert answer.trace.leg_ms["words"] >= 45
    assert answer.took_ms >= answer.trace.stage_ms["gather"] >= 45
