"""The warm process: one for a store, started when it is needed, gone when it is not."""

import json
import os
import shutil
import signal
import socket
import time
from pathlib import Path

import pytest

import recollect
from tests.faces.warm_home import (
    PATIENT,
    fill,
    hook,
    places,
    request,
    start,
    until,
    warm_processes,
)


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
            assert json.loads(path.read_text())["format"] == 2
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


def test_another_store_is_refused(home: Path) -> None:
    hook(home, "number1", "a")
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(places(home).socket)
        line.sendall(request(home, "number5", "x", "/elsewhere.db"))
        assert json.loads(line.recv(1000)) == {"refused": "another store"}


@pytest.mark.parametrize("nonsense", [b"", b"{", b"[]\n", b'{"store": 1}\n', b"\n"])
def test_nonsense_harms_nobody(home: Path, nonsense: bytes) -> None:
    hook(home, "number1", "a")
    [first] = warm_processes(home)
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(places(home).socket)
        line.sendall(nonsense)
    assert "number2" in hook(home, "number2", "b")
    assert warm_processes(home) == [first]


def test_it_leaves_a_store_that_was_made_anew_at_the_same_place(home: Path) -> None:
    hook(home, "number1", "a")
    [first] = warm_processes(home)
    fill(home / "new.db", "zeppelin")
    (home / "new.db").rename(home / "s.db")
    for more in home.glob("s.db-*"):
        more.unlink()
    assert until(lambda: first not in warm_processes(home))
    assert "zeppelin" in hook(home, "what of the zeppelin", "b")


def test_it_leaves_when_its_code_is_upgraded(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = home / "lib" / "recollect"
    shutil.copytree(Path(recollect.__file__).parent, package)
    monkeypatch.setenv("PYTHONPATH", str(home / "lib"))
    hook(home, "number1", "a")
    [first] = warm_processes(home)
    module = package / "faces" / "hook" / "warm.py"
    shutil.copy(module, home / "newer.py")
    (home / "newer.py").rename(module)
    assert until(lambda: first not in warm_processes(home))
    assert "number2" in hook(home, "number2", "b")


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
