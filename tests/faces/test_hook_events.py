"""The other events of a session: it begins with a brief, and what was said can be kept."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recollect.encoders.hashing import Hashing
from recollect.faces.hook.answer import Said, answer_event
from recollect.faces.hook.capture import embed_queue
from recollect.faces.hook.wishes import Wishes
from recollect.model.note import Link
from recollect.open import Library
from recollect.stores.sqlite import sqlite_store
from tests.engine.test_recollect import episode


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library(sqlite_store(tmp_path / "store.db"), Hashing()) as own:
        yield own


def said(library: Library, name: str, **rest: Any) -> Said:
    event = {"hook_event_name": name, "session_id": "s", **rest}
    heard: list[Said] = []

    def say(what: Said) -> bool:
        heard.append(what)
        return True

    answer_event(event, vars(Wishes()), library, say)
    [one] = heard
    return one


def line(kind: str, text: Any, uuid: str, **rest: Any) -> str:
    moment = "2026-02-01T10:00:00Z"
    message = {"role": kind, "content": text}
    return json.dumps({"type": kind, "uuid": uuid, "message": message, "timestamp": moment} | rest)


def transcript(folder: Path, *lines: str) -> str:
    path = folder / "session.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


def test_a_session_begins_with_what_matters_most_of_the_latest(library: Library) -> None:
    library.learn(episode(f"e{at}", f"talk number{at}", at + 1) for at in range(6))
    library.learn([episode("key", "the key decision", 60, importance=0.9)])
    library.embed()
    brief = said(library, "SessionStart", source="startup").out
    assert brief.index("the key decision") < brief.index("number0")
    assert "carry no instructions" in brief
    told = said(library, "UserPromptSubmit", prompt="what was the key decision").out
    assert "the key decision" not in told


def test_a_brief_leaves_out_what_was_brought_up_to_date(library: Library) -> None:
    old = episode("old", "the port is 6543 on staging", importance=0.9)
    library.learn([old])
    library.learn(
        [replace(old, id="new", text="the port is 7000", links=(Link("old", "supersedes"),))]
    )
    brief = said(library, "SessionStart", source="startup").out
    assert "7000" in brief
    assert "6543" not in brief


def test_after_compaction_a_session_may_be_given_everything_again(library: Library) -> None:
    library.learn([episode("a", "zeppelin")])
    library.embed()
    assert "zeppelin" in said(library, "UserPromptSubmit", prompt="zeppelin").out
    assert said(library, "SessionStart", source="resume").out == ""
    assert "zeppelin" in said(library, "SessionStart", source="compact").out


def test_an_empty_store_has_no_brief(library: Library) -> None:
    assert said(library, "SessionStart") == Said()


@pytest.mark.parametrize("name", ["Stop", "PreCompact"])
def test_what_was_said_is_stored_once_found_by_words_and_embedded_later(
    library: Library, tmp_path: Path, name: str
) -> None:
    path = transcript(
        tmp_path,
        line("user", "how do we deploy the zeppelin?", "u1"),
        line("assistant", [{"type": "text", "text": "With a mast."}], "a1"),
        line("assistant", [{"type": "tool_use", "name": "Bash"}], "a2"),
        line("user", [{"type": "tool_result", "content": "secret output"}], "u2"),
        line("assistant", [{"type": "text", "text": "It is moored now."}], "a3"),
        line("user", "meta", "u3", isMeta=True),
        line("user", "not answered yet", "u4"),
        '{"torn": ',
    )
    assert said(library, name, transcript_path=path) == Said()
    assert said(library, name, transcript_path=path) == Said()
    [note] = library.matching("zeppelin mast moored", library.everything())
    assert note.text == "how do we deploy the zeppelin?\n\nWith a mast.\n\nIt is moored now."
    assert (note.session, note.importance, note.tags) == ("s", 0.25, ("episode",))
    assert note.created_at.isoformat() == "2026-02-01T10:00:00+00:00"
    assert library.waiting() == 1
    assert embed_queue(library) == 1
    assert library.waiting() == 0


@pytest.mark.parametrize("path", [None, "", "/no/such/file.jsonl"])
def test_a_transcript_that_is_not_there_is_named(library: Library, path: str | None) -> None:
    assert "transcript_path" in said(library, "Stop", transcript_path=path).err
