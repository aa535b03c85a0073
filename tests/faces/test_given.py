"""Given is what really reached the agent: printed, and confirmed by the process that printed it."""

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

from recollect.encoders.hashing import Hashing
from recollect.open import Library
from recollect.stores.sqlite import sqlite_store
from tests.faces.warm_home import (
    PATIENT,
    converse,
    hook,
    start,
    until,
    warm_processes,
)

PROMPT = "the talk of number5"


def kept(home: Path, session: str) -> dict[str, Any]:
    path = home / "s.db.recollections" / f"{session}.json"
    return dict(json.loads(path.read_text())) if path.exists() else {}


def exposures(home: Path) -> dict[str, int]:
    with Library(sqlite_store(home / "s.db"), Hashing()) as library:
        facts = library.store.shelf.facts(f"e{at}" for at in range(30))
    return {one: found.usage.exposures for one, found in facts.items() if found.usage.exposures}


def late(home: Path, session: str) -> str:
    """A call to a process that is held up until its deadline has passed."""
    [process] = warm_processes(home)
    os.kill(process, signal.SIGSTOP)
    out = hook(home, PROMPT, session, "--deadline-ms", "1500")
    os.kill(process, signal.SIGCONT)
    return out


def test_what_came_too_late_to_be_printed_is_still_new(home: Path) -> None:
    hook(home, "number1", "first")
    assert until(lambda: exposures(home))
    before = exposures(home)
    assert late(home, "s") == ""
    assert until(lambda: kept(home, "s").get("late"))
    told = kept(home, "s")
    assert told["memories"][0]["id"] == "e5"
    assert (told["given"], told["topic"]) == ({}, None)
    assert "number5" in hook(home, PROMPT, "s")
    assert until(lambda: exposures(home).get("e5") == 1)
    assert sum(exposures(home).values()) == sum(before.values()) + 3
    assert hook(home, PROMPT, "s", "--force") == ""


def test_the_next_answer_that_is_late_says_what_was_late(home: Path) -> None:
    hook(home, "number1", "first")
    assert late(home, "s") == ""
    assert until(lambda: kept(home, "s").get("late"))
    assert "number5" in late(home, "s")
    assert "e5" in kept(home, "s")["given"]
    assert "number5" not in hook(home, PROMPT, "s", "--force")
    assert until(lambda: exposures(home).get("e5") == 1)


def test_a_hook_that_died_before_it_printed_has_given_nothing(home: Path) -> None:
    hook(home, "number1", "first")
    assert "number5" in converse(home, PROMPT, "s", confirm=False)
    assert until(lambda: kept(home, "s").get("late"))
    assert kept(home, "s")["given"] == {}
    assert "number5" in hook(home, PROMPT, "s")


def test_a_hook_that_confirmed_has_given_it(home: Path) -> None:
    hook(home, "number1", "first")
    assert "number5" in converse(home, PROMPT, "s", confirm=True)
    assert until(lambda: kept(home, "s").get("given"))
    assert hook(home, PROMPT, "s", "--force") == ""


def test_what_nobody_reads_is_not_given(home: Path) -> None:
    for warm in ((), ("--no-warm",)):
        process = start(home, PROMPT, "s", *PATIENT, *warm)
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
        process.communicate(timeout=60)
        assert process.returncode == 0
        assert until(lambda: kept(home, "s").get("late"))
        assert kept(home, "s")["given"] == {}
    assert "number5" in hook(home, PROMPT, "s")


def test_what_the_budget_left_out_is_still_new(home: Path) -> None:
    small = hook(home, PROMPT, "s", "--budget", "95")
    assert small.count("- [") == 1
    assert len(kept(home, "s")["news"]) == 3
    assert until(lambda: len(kept(home, "s")["given"]) == 1)
    assert hook(home, PROMPT, "s", "--force").count("- [") == 2


def test_a_process_killed_between_asking_and_printing_leaves_nothing_held(home: Path) -> None:
    """Its turn ends with it, and so does that of a warm process."""
    hook(home, "number1", "first")
    [process] = warm_processes(home)
    os.kill(process, signal.SIGSTOP)
    running = start(home, PROMPT, "s", *PATIENT)
    assert until(lambda: running.poll() is None and _has_connected(running))
    running.kill()
    running.communicate()
    os.kill(process, signal.SIGKILL)
    assert until(lambda: not warm_processes(home))
    assert "number5" in hook(home, PROMPT, "s")


def _has_connected(process: "subprocess.Popen[bytes]") -> bool:
    folder = Path(f"/proc/{process.pid}/fd")
    return any("socket" in os.readlink(one) for one in folder.iterdir())  # noqa: PTH115
