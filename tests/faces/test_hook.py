"""The hook as an agent calls it: a process of its own, JSON on stdin, exit code 0 always."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from recollect.encoders.hashing import Hashing
from recollect.model.recollection import Late, Recollection
from recollect.open import Library
from recollect.stores.recollections import as_json
from recollect.stores.sqlite import sqlite_store
from tests.building import NOW, days_ago
from tests.engine.test_recollect import episode

PATIENT = ("--no-warm", "--deadline-ms", "30000", "--model", "hashing")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "store.db"
    with Library(sqlite_store(path), Hashing()) as library:
        library.learn([episode("port", "the staging database has port 6543", importance=0.8)])
        library.learn([episode("bread", "rye bread is baked on Fridays")])
        library.embed()
    return path


def hook(
    stdin: str | bytes, *options: str, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    raw = stdin if isinstance(stdin, bytes) else stdin.encode()
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "recollect", "hook", *options],
        input=raw,
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, **(environment or {})},
    )
    assert done.returncode == 0
    return subprocess.CompletedProcess(done.args, 0, done.stdout.decode(), done.stderr.decode())


def event(prompt: Any, session: str = "s1", **rest: Any) -> str:
    usual = {
        "session_id": session,
        "transcript_path": "/none.jsonl",
        "cwd": "/",
        "hook_event_name": "UserPromptSubmit",
        "prompt": prompt,
    }
    return json.dumps(usual | rest)


def test_a_prompt_is_answered_with_what_is_remembered(store: Path) -> None:
    done = hook(event("which port has the staging database?"), "--store", str(store), *PATIENT)
    assert "the staging database has port 6543" in done.stdout
    assert done.stdout.startswith("<recollections>")
    assert done.stderr == ""
    kept = json.loads((store.parent / "store.db.recollections" / "s1.json").read_text())
    assert kept["session"] == "s1"
    assert set(kept["memories"][0]) == {"id", "text", "created_at", "importance", "score", "why"}
    assert kept["memories"][0]["created_at"] == days_ago(100).isoformat()


def test_the_same_topic_is_skipped_and_the_same_memory_not_repeated(store: Path) -> None:
    options = ("--store", str(store), *PATIENT)
    hook(event("staging database port"), *options)
    again = hook(event("staging database port"), *options)
    assert again.stdout == ""
    assert "same topic" in again.stderr
    assert hook(event("staging database port"), "--force", *options).stdout == ""
    assert "6543" in hook(event("staging database port", "s2"), *options).stdout


@pytest.mark.parametrize(
    ("stdin", "says"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("[]", "no object"),
        ("{}", "no prompt"),
        (b"\xff\xfe", "no JSON"),
        (event(None), "no prompt"),
        (event(""), "empty"),
        (event("x", hook_event_name="Unheard"), "Unheard"),
    ],
)
def test_whatever_comes_in_the_exit_code_is_0_and_the_reason_is_told(
    store: Path, stdin: str | bytes, says: str
) -> None:
    done = hook(stdin, "--store", str(store), *PATIENT)
    assert done.stdout == ""
    assert says in done.stderr


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "<&-"),
        ("", ">&-"),
        ("", "2>&-"),
        ("", "<&- >&- 2>&-"),
        ("", ">/dev/full"),
        ("", "| true"),
        ("", "--store /"),
        ("", "--store /dev/null"),
        ("", "--model nonsense"),
        ("unset HOME XDG_DATA_HOME;", ""),
        ("ulimit -n 6;", ""),
        ("ulimit -v 100000;", ""),  # a library's own code ends the process that uses it
    ],
)
def test_whatever_the_trouble_the_exit_code_is_0(store: Path, before: str, after: str) -> None:
    """Nothing that an agent's machine can be short of may stop the agent."""
    command = f"{sys.executable} -m recollect hook --store {store} {' '.join(PATIENT)} {after}"
    done = subprocess.run(  # noqa: S603
        ["/bin/bash", "-c", f"set -o pipefail; {before} {command}"],
        input=event("staging port").encode(),
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0


@pytest.mark.parametrize(
    "prompt",
    [
        "哪个端口有 staging 数据库",
        "port \"staging\" NOT NEAR( database* ^ 'x' -- AND OR (",
        "staging database port " + "and so on " * 10_000,
    ],
    ids=["chinese", "operators", "100 kB"],
)
def test_any_prompt_is_answered(store: Path, prompt: str) -> None:
    done = hook(event(prompt), "--store", str(store), *PATIENT)
    assert "6543" in done.stdout
    assert done.stderr == ""


def test_without_a_store_nothing_is_made(tmp_path: Path) -> None:
    done = hook(event("hello"), "--store", str(tmp_path / "none.db"), *PATIENT)
    assert "no store" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_model_that_fails_writes_nothing_and_says_so(store: Path, tmp_path: Path) -> None:
    """R1.7"""
    options = ("--no-warm", "--deadline-ms", "30000", "--model", "minilm")
    empty = {"RECOLLECT_CACHE": str(tmp_path / "empty")}
    done = hook(event("staging port"), "--store", str(store), *options, environment=empty)
    assert done.stdout == ""
    assert "minilm is not installed" in done.stderr
    assert not (tmp_path / "store.db.recollections").exists()


def test_wrong_options_are_named_and_the_hook_goes_on(store: Path) -> None:
    done = hook(
        event("staging port"), "--store", str(store), *PATIENT, "--bogus", "--budget", "many"
    )
    assert "6543" in done.stdout
    assert "--bogus" in done.stderr
    assert "'many' is no number" in done.stderr


def test_a_deadline_is_kept_and_what_was_left_unsaid_is_said_once(store: Path) -> None:
    folder = store.parent / "store.db.recollections"
    folder.mkdir()
    told = Recollection("s1", NOW, late=Late("<recollections>late", {"port": "digest"}))
    (folder / "s1.json").write_text(json.dumps(as_json(told)))
    hurried = ("--store", str(store), "--no-warm", "--deadline-ms", "20")
    first = hook(event("staging port"), *hurried)
    assert first.stdout == "<recollections>late\n"
    assert "within 20 ms" in first.stderr
    assert hook(event("staging port"), *hurried).stdout == ""
    kept = json.loads((folder / "s1.json").read_text())
    assert (kept["given"], kept["late"]["said"]) == ({"port": "digest"}, True)
