"""The command as a process of its own: pipes, signals, other processes, and how it starts."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from recollect.faces.cli.commands import Exit
from tests.faces.conftest import Person

RUN = [sys.executable, "-m", "recollect"]
PATIENCE = 60.0
NOT_FOR_A_SEARCH = (
    "asyncio", "email", "http.client", "onnx", "onnxruntime", "recollect.ingest", "recollect.vault",
    "shtab", "ssl", "tokenizers", "tomllib", "urllib.request", "watchfiles", "wordllama", "yaml",
)  # fmt: skip


def start(*words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(  # noqa: S603
        [*RUN, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def run(*words: str, given: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # noqa: S603
        [*RUN, *words], input=given, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def wait_until(true: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def test_a_reader_that_has_seen_enough_is_no_error(vault: Person) -> None:
    with start("search", "fox", "--model", "none") as searching:
        assert searching.stdout is not None
        assert searching.stderr is not None
        searching.stdout.close()
        assert searching.stderr.read().count("Traceback") == 0
    assert searching.returncode == Exit.OK


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full disk to offer")
def test_a_full_disk_is_told_in_a_line(vault: Person) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(  # noqa: S603
            [*RUN, "search", "fox", "--model", "none"],
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
    assert done.returncode == Exit.FAILED
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


def test_what_another_process_remembered_is_found(vault: Person) -> None:
    done = run("remember", "-", "--model", "none", given="the heron\nstands 日本")
    assert done.returncode == Exit.OK, done.stderr
    note_id = done.stdout.split()[-1]
    found = vault.types("search", "heron", "--model", "none", "--json").json["results"]
    assert [result["note_id"] for result in found] == [note_id]
    assert "the heron\nstands 日本" in vault.types("get", note_id).out


def test_a_search_imports_nothing_that_it_does_not_use(vault: Person) -> None:
    look = (
        "import sys; from recollect.faces.cli import main;"
        f"main(['search', 'fox', '--model', 'none']);"
        f"print(*(name for name in {NOT_FOR_A_SEARCH!r} if name in sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", look], capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert "fox.md" in done.stdout
    assert done.stderr.splitlines()[-1] == ""


def test_watching_follows_a_change_and_ends_when_told(vault: Person) -> None:
    with start("watch", str(vault.notes), "--model", "hashing") as watching:
        try:
            assert watching.stderr is not None
            assert "watching" in watching.stderr.readline()
            vault.write("new.md", "a heron")
            assert wait_until(lambda: vault.finds("heron") == ["new.md"])
            (vault.notes / "new.md").unlink()
            assert wait_until(lambda: vault.finds("heron") == [])
            watching.send_signal(signal.SIGTERM)
            assert watching.wait(PATIENCE) == Exit.OK
        finally:
            if watching.poll() is None:
                watching.kill()


def test_stopping_an_index_half_way_loses_nothing(person: Person) -> None:
    for number in range(1500):
        person.write(f"{number}.md", f"heron number {number}")
    with start("index", str(person.notes), "--model", "hashing") as indexing:
        assert wait_until(person.store.exists)
        time.sleep(0.3)
        indexing.send_signal(signal.SIGINT)
        assert indexing.stderr is not None
        told = indexing.stderr.read()
    if indexing.returncode != Exit.OK:  # a quick machine may have been done before it was told
        assert indexing.returncode == Exit.STOPPED
        assert "kept" in told
    assert person.index("--quiet").code == Exit.OK
    assert person.types("doctor").code == Exit.OK
    assert person.types("status", "--json", "--model", "none").json["notes"] == 1500


def test_two_may_index_the_same_folder_at_once(person: Person) -> None:
    for number in range(300):
        person.write(f"{number}.md", f"heron number {number}")
    both = [start("index", str(person.notes), "--model", "hashing") for _ in range(2)]
    for one in both:
        _, told = one.communicate(timeout=PATIENCE)
        assert one.returncode == Exit.OK, told
    status = person.types("status", "--json", "--model", "none").json
    assert (status["notes"], status["models"][0]["embedded"]) == (300, 300)


@pytest.mark.parametrize("no_color", ["", "1"])
def test_a_terminal_gets_colour_unless_it_is_unwanted(vault: Person, no_color: str) -> None:
    mine, theirs = os.openpty()
    done = subprocess.run(  # noqa: S603
        [*RUN, "search", "fox", "--model", "none"],
        stdout=theirs, stderr=subprocess.DEVNULL, timeout=PATIENCE, check=True,
        env={**os.environ, "NO_COLOR": no_color},
    )  # fmt: skip
    os.close(theirs)
    shown = os.read(mine, 100_000)
    os.close(mine)
    assert done.returncode == Exit.OK
    assert (b"\x1b[1;33mfox\x1b[0m" in shown) == (not no_color)
    assert (b"\x1b" in shown) == (not no_color)


def test_recollect_is_a_command_of_its_own() -> None:
    done = subprocess.run(  # noqa: S603
        [Path(sys.executable).with_name("recollect"), "--version"],
        capture_output=True, text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    assert done.stdout.startswith("recollect ")
