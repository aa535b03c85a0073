"""A person at a command line of their own: a home, a store and a folder of notes, all temporary."""

import json
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from recollect.faces.cli import main
from tests.faces.warm_home import fill, warm_processes


@dataclass(frozen=True)
class Said:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class Person:
    home: Path
    captured: pytest.CaptureFixture[str]

    @property
    def notes(self) -> Path:
        return self.home / "my nötes"

    @property
    def store(self) -> Path:
        return self.home / "data" / "recollect" / "recollect.db"

    def write(self, path: str, text: str) -> Path:
        place = self.notes / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        return place

    def types(self, *words: str) -> Said:
        self.captured.readouterr()
        code = main(words)
        said = self.captured.readouterr()
        return Said(code, said.out, said.err)

    def index(self, *more: str) -> Said:
        return self.types("index", str(self.notes), "--model", "hashing", *more)

    def finds(self, *query: str) -> list[str]:
        """The paths that words alone find."""
        said = self.types("search", "--json", "--model", "none", *query)
        return [result["path"] for result in said.json["results"]]


@pytest.fixture
def person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Person:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("RECOLLECT_STORE", "RECOLLECT_CACHE", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return Person(tmp_path, capsys)


@pytest.fixture
def vault(person: Person) -> Person:
    """Three notes, indexed with a model that needs no files."""
    person.write("fox.md", "# Fox\nThe quick fox crosses the [[river]] at night. #animal\n")
    person.write("river.md", "# River\nThe river rises in spring.\n")
    person.write("sub/räuber.md", "# Räuber\nDer Fuchs stiehlt 狐狸 im Wald.\n")
    assert person.index().code == 0
    return person


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """Nothing that runs for it outlives it."""
    folder = tmp_path
    fill(folder / "s.db", *(f"the talk of day number{at}" for at in range(30)))
    yield folder
    for process in warm_processes(folder):
        os.kill(process, signal.SIGKILL)
