"""A hook and its warm process find their store by any name, and show nobody its password."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faces.test_hook import event
from tests.faces.warm_home import PATIENT, fill, until

ADDRESS = "postgres://me:s3cret@127.0.0.1:1/none"
SHOWN = b"postgresql://me@127.0.0.1:1/none"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("RECOLLECT_STORE", "RECOLLECT_VECTORS", "XDG_CONFIG_HOME", "RECOLLECT_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def hook(*options: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "recollect", "hook", *options]
    asked = event("which port has the staging database?")
    return subprocess.run(command, input=asked, capture_output=True, text=True, check=True)  # noqa: S603


def configured(home: Path, text: str) -> None:
    place = home / ".config/recollect/config.toml"
    place.parent.mkdir(parents=True)
    place.write_text(text, encoding="utf-8")


def test_the_config_file_names_the_store(home: Path) -> None:
    fill(home / "elsewhere.db", "the staging database has port 5433")
    configured(home, f'[store]\nurl = "{home}/elsewhere.db"')
    assert "5433" in hook(*PATIENT, "--no-warm").stdout


def test_a_config_file_that_cannot_be_read_is_named(home: Path) -> None:
    configured(home, "[store")
    said = hook(*PATIENT, "--no-warm")
    assert said.stdout == ""
    assert "config.toml is not TOML" in said.stderr


@pytest.fixture
def warm(home: Path) -> Iterator[list[int]]:
    """Those that serve the address, ended whatever happens."""
    found: list[int] = []
    yield found
    for process in {*found, *processes()}:
        os.kill(process, signal.SIGKILL)


def processes() -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes().split(b"\0")
        except OSError:
            continue
        if SHOWN in words:
            found.append(int(entry.parent.name))
    return found


def test_a_password_is_no_word_of_the_warm_process_and_is_never_said(
    home: Path, warm: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECOLLECT_STORE", ADDRESS)
    said = hook("--model", "hashing", "--deadline-ms", "1500")
    assert said.stdout == ""
    assert until(processes)
    warm += processes()
    for process in warm:
        assert b"s3cret" not in Path(f"/proc/{process}/cmdline").read_bytes()
    logs = [path.read_text() for path in (home / "data").rglob(".warm.log")]
    assert len(logs) == 1
    assert "s3cret" not in f"{said.stderr} {logs}"


def test_a_password_is_not_written_into_an_agents_settings(home: Path) -> None:
    command = [sys.executable, "-m", "recollect", "hook", "install", "--store", ADDRESS, "--user"]
    said = subprocess.run([*command, "--yes"], capture_output=True, text=True, check=False)  # noqa: S603
    assert said.returncode == 2
    assert "s3cret" not in said.stdout + said.stderr
    assert "config file" in said.stderr
    assert not (home / ".claude").exists()
