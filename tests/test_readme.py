"""The README's commands run as they stand, in the order they stand, and its Python does too."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

import recollect
from recollect.faces.cli import main

README = Path(__file__).parents[1] / "README.md"
NOTES = Path(recollect.__file__).parent / "demo_notes"


def commands() -> list[str]:
    return re.findall(r"^\$ recollect (.+)$", README.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_command_of_the_readme_runs_and_its_python_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(NOTES, tmp_path / "notes")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RECOLLECT_STORE", str(tmp_path / "notes.db"))
    assert len(commands()) >= 10
    for line in commands():
        assert main(shlex.split(line)) == 0, f"{line}: {capsys.readouterr().err}"
    capsys.readouterr()
    [snippet] = re.findall(r"```python\n(.+?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(snippet, str(README), "exec"), {})  # noqa: S102 - it is our own README
    assert capsys.readouterr().out.startswith("1 ")


def test_the_readmes_first_answer_is_the_one_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RECOLLECT_STORE", str(tmp_path / "notes.db"))
    assert main(["index", str(NOTES), "--quiet"]) == 0
    assert main(["search", "prevent bread drying", "-n", "1"]) == 0
    assert "1. The second day  baking/The second day.md:7" in capsys.readouterr().out


def test_links_of_the_readme_lead_to_files() -> None:
    text = README.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (README.parent / target).exists(), target
