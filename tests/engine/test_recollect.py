"""Seed 000 from end to end on a real SQLite file: the gate, the file, what is shown and what is not."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from recollect.encoders.hashing import Hashing
from recollect.engine.recollect import Gate, Reckoned, Recollected
from recollect.model.errors import EmptyQuery, EncoderError, LegFailed
from recollect.model.note import Note
from recollect.model.query import Scope
from recollect.model.recollection import Handed, Late, Recollection
from recollect.open import Library
from recollect.ports import Vector
from recollect.stores.sqlite import sqlite_store
from tests.building import days_ago
from tests.fakes import OneVector

SPACE = Scope.of("memory")


def episode(note_id: str, text: str, age_days: float = 100, importance: float = 0.5) -> Note:
    moment = days_ago(age_days)
    return Note(note_id, "memory", text, moment, moment, importance=importance)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library(sqlite_store(tmp_path / "store.db"), Hashing()) as own:
        yield own


def filled(library: Library, *notes: Note) -> Library:
    library.learn(notes)
    library.embed()
    return library


def told(library: Library, prompt: str, session: str = "s", **gate: float) -> Recollected:
    return library.recollect(prompt, session=session, scope=SPACE, gate=Gate(**gate))  # type: ignore[arg-type]


def ids(done: Recollected) -> list[str]:
    assert done.recollection is not None
    return [memory.id for memory in done.recollection.memories]


def many(count: int) -> list[Note]:
    return [episode(f"e{at:04}", f"daily talk number{at}", at + 1) for at in range(count)]


def test_the_best_three_are_kept_with_their_reasons(library: Library) -> None:
    """R1.5"""
    filled(library, *many(5), episode("z", "the zeppelin incident"))
    done = told(library, "what about the zeppelin")
    last = library.recollections.last("s")
    assert last == done.recollection
    assert last is not None
    assert ids(done)[0] == "z"
    assert len(last.memories) == 3
    assert "words rank 1" in last.memories[0].why
    assert last.memories[0].text == "the zeppelin incident"


def test_being_shown_is_an_exposure_and_no_use(library: Library) -> None:
    """R1.5"""
    filled(library, *many(5))
    shown = ids(told(library, "number3"))
    facts = library.store.shelf.facts(f"e{at:04}" for at in range(5))
    for note_id, one in facts.items():
        assert one.usage.exposures == (note_id in shown)
        assert one.usage.access_count == 0
        touched = one.usage.accessed_at is not None and one.usage.accessed_at > one.created_at
        assert touched == (note_id in shown)


def test_what_is_among_the_best_again_is_touched_but_not_shown_again(library: Library) -> None:
    """R1.5"""
    filled(library, *many(3))
    first = ids(told(library, "number1"))
    before = library.store.shelf.facts(first)
    again = ids(told(library, "number1", forced=True))
    after = library.store.shelf.facts(first)
    assert set(again) == set(first)
    for note_id in first:
        was, now = before[note_id].usage, after[note_id].usage
        assert was.accessed_at is not None
        assert now.accessed_at is not None
        assert now.accessed_at > was.accessed_at
        assert (now.exposures, now.access_count) == (1, 0)


def test_what_does_not_arrive_is_not_given_shown_or_answered(library: Library) -> None:
    filled(library, *many(3))

    def lost(told: Recollection) -> Handed:
        return Handed(told.news, "too late", arrived=False)

    done = library.recollect("number1", session="s", scope=SPACE, hand_over=lost)
    last = library.recollections.last("s")
    assert last is not None
    assert (last.given, last.topic) == ({}, None)
    assert last.late == Late("too late", last.late.given if last.late else {})
    assert {one.usage.exposures for one in library.store.shelf.facts(ids(done)).values()} == {0}
    again = told(library, "number1")
    assert not again.skipped
    assert again.recollection is not None
    assert len(again.recollection.fresh()) == 3
    assert again.recollection.late is None


def test_an_old_keyword_match_outside_the_two_hundred_surfaces(library: Library) -> None:
    """R1.1, R1.2, R1.9"""
    filled(library, *many(230), episode("old", "the zeppelin incident", 900))
    recent = library.store.vectors.recently_accessed("hashing-256", SPACE, 200)  # type: ignore[union-attr]
    assert "old" not in recent
    assert ids(told(library, "what was that zeppelin about"))[0] == "old"


def test_high_importance_lifts(library: Library) -> None:
    """R1.4"""
    filled(library, episode("a", "zeppelin flight one", 5), episode("b", "zeppelin flight two", 5))
    first = ids(told(library, "zeppelin flight"))[0]
    other = {"a": "b", "b": "a"}[first]
    text = {"a": "zeppelin flight one", "b": "zeppelin flight two"}[other]
    filled(library, episode(other, text, 5, importance=0.75))
    assert ids(told(library, "zeppelin flight", "another"))[0] == other


def test_the_gate_stops_a_prompt_on_the_same_topic_and_nothing_is_written(library: Library) -> None:
    """R1.7"""
    filled(library, *many(5))
    first = told(library, "tell me of number3")
    again = told(library, "tell me of number3")
    assert again.skipped
    assert again.likeness == pytest.approx(1.0)
    assert library.recollections.last("s") == first.recollection
    assert library.store.shelf.facts(ids(first))[ids(first)[0]].usage.exposures == 1


def test_the_gate_is_per_session_and_can_be_moved_or_forced(library: Library) -> None:
    filled(library, *many(5))
    told(library, "tell me of number3")
    assert not told(library, "tell me of number3", "another").skipped
    assert not told(library, "tell me of number3", forced=True).skipped
    assert told(library, "tell me about number3", threshold=0.5).skipped
    assert not told(library, "tell me about number3", threshold=0.99).skipped


def test_a_topic_of_another_model_is_no_topic(library: Library, tmp_path: Path) -> None:
    filled(library, *many(3))
    told(library, "number1")
    with Library(sqlite_store(tmp_path / "store.db"), Hashing(64)) as other:
        other.embed()
        assert told(other, "number1").likeness is None


def test_nothing_is_given_twice_in_a_session_unless_it_changed(library: Library) -> None:
    filled(library, episode("a", "zeppelin"), episode("b", "airship"))
    first = told(library, "zeppelin").recollection
    second = told(library, "airship").recollection
    assert first is not None
    assert second is not None
    assert {memory.id for memory in first.fresh()} == {"a", "b"}
    assert second.fresh() == ()
    assert len(second.memories) == 2
    filled(library, episode("a", "zeppelin, the second"))
    third = told(library, "zeppelin").recollection
    assert third is not None
    assert [memory.id for memory in third.fresh()] == ["a"]


@pytest.mark.parametrize("error", [EncoderError("no model"), RuntimeError("socket closed")])
def test_a_prompt_that_cannot_be_embedded_writes_nothing_and_says_so(
    tmp_path: Path, error: Exception
) -> None:
    """R1.7"""
    broken = OneVector()
    with Library(sqlite_store(tmp_path / "store.db"), broken) as library:
        filled(library, episode("a", "zeppelin"))
        before = library.store.shelf.facts(["a"])
        broken.error = error
        with pytest.raises(LegFailed, match=str(error)):
            told(library, "zeppelin")
        assert library.recollections.last("s") is None
        assert library.store.shelf.facts(["a"]) == before


def test_without_a_model_the_caller_is_told(tmp_path: Path) -> None:
    """R1.7"""
    with Library(sqlite_store(tmp_path / "store.db")) as library:
        library.learn([episode("a", "zeppelin")])
        with pytest.raises(LegFailed, match="embedder"):
            told(library, "zeppelin")


@pytest.mark.parametrize(
    "prompt",
    [
        "飞艇事故是什么时候发生的",
        'what "zeppelin" -incident NOT NEAR(zeppelin, 2) AND title:* OR (',
        "zeppelin* ^zeppelin {a b}: 'quoted' \"unclosed",
        "NEAR(",
        "NEAR( zeppelin",
        "\x00zeppelin\ud800",
        "zeppelin " * 11_500,
    ],
)
def test_any_prompt_is_prose(library: Library, prompt: str) -> None:
    filled(library, episode("a", "the zeppelin incident"), episode("b", "飞艇事故"), *many(3))
    assert len(ids(told(library, prompt))) == 3


@pytest.mark.parametrize("prompt", ["", "  \n\t ", "\u200b"])
def test_an_empty_prompt_is_refused(library: Library, prompt: str) -> None:
    with pytest.raises(EmptyQuery):
        told(library, prompt)


def test_a_prompt_is_embedded_once(tmp_path: Path) -> None:
    counting = OneVector()
    with Library(sqlite_store(tmp_path / "store.db"), counting) as library:
        filled(library, episode("a", "zeppelin"))
        counting.texts.clear()
        told(library, "where is the zeppelin")
    assert counting.texts == ["where is the zeppelin"]


def test_an_empty_store_is_no_error(library: Library) -> None:
    assert ids(told(library, "anything")) == []


def test_a_long_memory_is_handed_over_by_its_best_lines(library: Library) -> None:
    filled(library, episode("a", "filler words go on. " * 500 + "the zeppelin landed at noon"))
    [memory] = told(library, "zeppelin").recollection.memories  # type: ignore[union-attr]
    assert "zeppelin" in memory.text
    assert len(memory.text) < 2_000


def test_other_projects_and_spaces_are_not_seen(library: Library) -> None:
    moment = days_ago(1)
    filled(
        library,
        Note("mine", "memory", "zeppelin", moment, moment, project="red"),
        Note("theirs", "memory", "zeppelin", moment, moment, project="blue"),
        Note("elsewhere", "other", "zeppelin", moment, moment, project="red"),
    )
    scope = Scope.of("memory", projects=["red"])
    assert ids(library.recollect("zeppelin", session="s", scope=scope)) == ["mine"]


def test_a_file_of_another_kind_is_written_anew(library: Library) -> None:
    filled(library, *many(3))
    told(library, "number1")
    for text in ("", "[]", '{"format": 99}', '{"format": 1}', '{"format": 1, "at": 3}'):
        library.recollections.path("s").write_text(text, encoding="utf-8")
        assert library.recollections.last("s") is None
        assert not told(library, "number1").skipped


@pytest.mark.parametrize("session", ["a/../../b", "x" * 500, "日本", "", ".."])
def test_a_session_may_have_any_name(library: Library, session: str) -> None:
    filled(library, *many(3))
    told(library, "number1", session)
    path = library.recollections.path(session)
    assert path.is_file()
    assert path.parent == Path(library.recollections.folder)


def test_sessions_long_gone_are_swept(library: Library) -> None:
    filled(library, *many(3))
    told(library, "number1")
    now = library.clock.now()
    assert library.recollections.sweep(now - timedelta(days=1)) == 0
    assert library.recollections.sweep(now + timedelta(days=1)) == 1
    assert library.recollections.last("s") is None


def test_the_shared_vector_is_the_embedders_own() -> None:
    vector: Vector = np.array([0.6, 0.8], dtype=np.float32)
    known = Reckoned(OneVector(), vector)
    assert known.embed(["a", "b"]).tolist() == [vector.tolist(), vector.tolist()]
