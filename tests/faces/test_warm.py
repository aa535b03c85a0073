"""The warm process: one for a store, started when it is needed, gone when it is not."""

import json
import os
import shutil
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import recollect
from tests.faces.warm_home import (
    PATIENT,
    converse,
    fill,
    hook,
    places,
    resident_mb,
    socket_of,
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
    assert not socket_of(home).exists()


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


def test_memory_is_flat_under_a_burst(home: Path) -> None:
    hook(home, "number1", "a")
    [process] = warm_processes(home)

    def burst(calls: int) -> float:
        with ThreadPoolExecutor(20) as pool:
            prompts = (f"the talk of number{at % 30} and more" for at in range(calls))
            list(pool.map(lambda text, at: converse(home, text, f"s{at}"), prompts, range(calls)))
        return resident_mb(process)

    before, middle, after = burst(100), burst(200), burst(200)
    assert middle - before < 8
    assert after - middle < 4


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
    assert socket_of(home).exists()
    assert "number2" in hook(home, "number2", "b")
    [second] = warm_processes(home)
    assert second != first


@pytest.mark.parametrize("nonsense", [b"", b"{", b"[]\n", b'{"event": 1}\n', b"\n"])
def test_nonsense_harms_nobody(home: Path, nonsense: bytes) -> None:
    hook(home, "number1", "a")
    [first] = warm_processes(home)
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(socket_of(home)))
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
    assert not socket_of(home).exists()


def test_a_folder_that_others_may_enter_is_not_trusted(home: Path) -> None:
    hook(home, "number1", "a")
    [process] = warm_processes(home)
    Path(places(home).folder).chmod(0o777)
    with pytest.raises(PermissionError, match="not ours alone"):
        places(home).enter()
    os.kill(process, signal.SIGTERM)
    assert until(lambda: not warm_processes(home))
    assert "number3" in hook(home, "number3", "b"), "the hook answers itself"
    assert warm_processes(home) == []


def test_a_deep_folder_and_another_name_lead_to_the_same_process(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A socket's own path would be too long, and neither name nor environment makes a second one."""
    deep = home / ("x" * 100) / ("y" * 100)
    deep.mkdir(parents=True)
    fill(deep / "s.db", "the talk of number1", "the talk of number2")
    (home / "s.db").unlink()
    (home / "s.db").symlink_to(deep / "s.db")
    assert "number1" in hook(home, "number1", "a")
    [first] = warm_processes(home)
    assert socket_of(home) == socket_of(deep)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(deep))
    assert "number2" in hook(deep, "number2", "b")
    assert warm_processes(deep) == []
    assert warm_processes(home) == [first]


def test_one_process_serves_every_model(home: Path) -> None:
    hook(home, "number1", "a", "--idle", "60")
    [first] = warm_processes(home)
    told = start(home, "number1", "b", *PATIENT, "--model", "none", "--idle", "1")
    assert b"no embedder" in told.communicate(timeout=60)[1]
    assert warm_processes(home) == [first]
    assert until(lambda: not warm_processes(home)), "as the last caller wished"


@pytest.mark.parametrize("made", ["folder", "nonsense"])
def test_a_store_that_cannot_be_opened_keeps_no_process(home: Path, made: str) -> None:
    (home / "s.db").unlink()
    if made == "folder":
        (home / "s.db").mkdir()
    else:
        (home / "s.db").write_bytes(b"no store at all" * 500)
    told = start(home, "number1", "b", *PATIENT)
    assert b"s.db" in told.communicate(timeout=60)[1]
    assert until(lambda: not warm_processes(home))
