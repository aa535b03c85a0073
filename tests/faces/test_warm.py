"""The warm process: one for a store, started when it is needed, gone when it is not."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from recollect.encoders.hashing import Hashing
from recollect.faces.hook.places import Places
from recollect.faces.hook.wishes import Wishes
from recollect.open import Library
from recollect.stores.sqlite import sqlite_store
from tests.engine.test_recollect import episode
from tests.faces.test_hook import event

PATIENT = ("--model", "hashing", "--deadline-ms", "30000")


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a short name, as a socket's path may not be long; nothing outlives it."""
    folder = Path(tempfile.mkdtemp(prefix="rc"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    with Library(sqlite_store(folder / "s.db"), Hashing()) as library:
        library.learn([episode(f"e{at}", f"the talk of day number{at}") for at in range(30)])
        library.embed()
    yield folder
    for process in warm_processes(folder):
        os.kill(process, signal.SIGKILL)
    shutil.rmtree(folder)


def warm_processes(home: Path) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"recollect.faces.hook.warm" in words and str(home / "s.db").encode() in words:
            found.append(int(entry.parent.name))
    return found


def start(home: Path, prompt: str, session: str, *options: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "recollect", "hook", "--store", str(home / "s.db"), *options]
    process = subprocess.Popen(  # noqa: S603
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    process.stdin.write(event(prompt, session).encode())
    process.stdin.close()
    process.stdin = None
    return process


def hook(home: Path, prompt: str, session: str = "s", *options: str) -> str:
    process = start(home, prompt, session, *PATIENT, *options)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return out.decode()


def until(holds: Callable[[], Any], seconds: float = 15.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.05)
    return False


def places(home: Path) -> Places:
    return Places(str(home / "s.db"), "hashing")


def request(home: Path, prompt: str, session: str, store: str | None = None) -> bytes:
    wishes = vars(Wishes())
    asked = {"event": json.loads(event(prompt, session)), "wishes": wishes}
    return json.dumps(asked | {"store": store or str(home / "s.db")}).encode()


def test_one_process_serves_call_after_call_and_ends_when_idle(home: Path) -> None:
    assert "number7" in hook(home, "the talk of number7", "a", "--idle", "1")
    [first] = warm_processes(home)
    assert "number8" in hook(home, "the talk of number8", "b", "--idle", "1")
    assert warm_processes(home) == [first]
    assert until(lambda: not warm_processes(home))
    assert not Path(places(home).socket).exists()


def test_twenty_calls_at_once_start_one_process_and_tear_no_file(home: Path) -> None:
    running = [
        start(home, f"the talk of number{at}", f"s{at % 4}", *PATIENT, "--idle", "2")
        for at in range(20)
    ]
    seen: set[int] = set()
    while any(process.poll() is None for process in running):
        seen |= set(warm_processes(home))
        for path in (home / "s.db.recollections").glob("*.json"):
            assert json.loads(path.read_text())["format"] == 1
        time.sleep(0.02)
    for process in running:
        _, err = process.communicate()
        assert process.returncode == 0
        assert err == b"" or b"same topic" in err
    assert len(seen) == 1
    assert len(list((home / "s.db.recollections").glob("*.json"))) == 4
    assert until(lambda: not warm_processes(home))


def test_within_a_session_nothing_is_given_twice_even_at_once(home: Path) -> None:
    running = [start(home, f"of number{at}", "s", *PATIENT, "--force") for at in range(8)]
    said = [process.communicate()[0].decode() for process in running]
    given = [line.split(",")[0] for text in said for line in text.splitlines() if "- [" in line]
    assert given
    assert len(given) == len(set(given))


def test_after_a_crash_the_next_call_starts_another(home: Path) -> None:
    hook(home, "number1", "a")
    [first] = warm_processes(home)
    os.kill(first, signal.SIGKILL)
    assert until(lambda: not warm_processes(home))
    assert Path(places(home).socket).exists()
    assert "number2" in hook(home, "number2", "b")
    [second] = warm_processes(home)
    assert second != first


def test_an_answer_that_came_too_late_is_kept_for_the_next(home: Path) -> None:
    hook(home, "number1", "a")
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(places(home).socket)
        line.sendall(request(home, "number5", "late"))
    kept = home / "s.db.recollections" / "late.json"
    assert until(lambda: kept.exists() and json.loads(kept.read_text())["unsaid"])
    assert "number5" in json.loads(kept.read_text())["unsaid"]


def test_another_store_is_refused(home: Path) -> None:
    hook(home, "number1", "a")
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(places(home).socket)
        line.sendall(request(home, "number5", "x", "/elsewhere.db"))
        line.shutdown(socket.SHUT_WR)
        assert json.loads(line.recv(1000)) == {"refused": "another store"}


@pytest.mark.parametrize("nonsense", [b"", b"{", b"[]", b'{"store": 1}'])
def test_nonsense_harms_nobody(home: Path, nonsense: bytes) -> None:
    hook(home, "number1", "a")
    [first] = warm_processes(home)
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(places(home).socket)
        line.sendall(nonsense)
    assert "number2" in hook(home, "number2", "b")
    assert warm_processes(home) == [first]


def test_it_leaves_with_its_store_and_when_told_to(home: Path) -> None:
    hook(home, "number1", "a")
    (home / "s.db").rename(home / "moved.db")
    assert until(lambda: not warm_processes(home))
    (home / "moved.db").rename(home / "s.db")
    hook(home, "number1", "b")
    [process] = warm_processes(home)
    os.kill(process, signal.SIGTERM)
    assert until(lambda: not warm_processes(home))
    assert not Path(places(home).socket).exists()


def test_where_no_socket_can_be_made_the_hook_answers_itself(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(home))
    (home / "recollect").write_text("a file, not a folder")
    assert "number3" in hook(home, "number3")
    assert warm_processes(home) == []


def test_a_folder_that_others_may_enter_is_not_trusted(home: Path) -> None:
    (home / "recollect").mkdir()
    (home / "recollect").chmod(0o777)
    with pytest.raises(PermissionError, match="not ours alone"):
        places(home)
