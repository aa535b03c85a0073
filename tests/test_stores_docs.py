"""docs/stores.md: its config is accepted, its tables are whole, its commands run as they stand."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from recollect.faces.cli import main
from recollect.open.config import KNOWN, config_of

PAGE = (Path(__file__).parents[1] / "docs/stores.md").read_text(encoding="utf-8")


def test_the_config_that_is_shown_is_accepted_and_every_key_is_explained() -> None:
    [shown] = re.findall(r"```toml\n(.+?)```", PAGE, re.DOTALL)
    said = tomllib.loads(shown)
    config_of(said)
    keys = {f"{table}.{key}" for table, own in KNOWN.items() for key in own}
    assert {f"{table}.{key}" for table, own in said.items() for key in own} | {
        "vectors.api_key"
    } == keys
    assert set(re.findall(r"^\| `((?:store|vectors)\.\w+)` \|", PAGE, re.MULTILINE)) == keys


def test_its_commands_run_as_they_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for name in ("RECOLLECT_STORE", "RECOLLECT_VECTORS", "RECOLLECT_CONFIG", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    [commands] = re.findall(r"```sh\n(.+?)```", PAGE, re.DOTALL)
    for line in commands.splitlines():
        assert main(shlex.split(line)[1:]) == 0, line
    told = capsys.readouterr().out
    assert "both hold the same" in told
    assert "staging cluster" in told.rpartition("both hold the same")[2]


def test_the_output_that_is_shown_has_the_lines_that_are_printed() -> None:
    [shown] = re.findall(r"```console\n(.+?)```", PAGE, re.DOTALL)
    kinds = re.findall(r"^(\w+) +\d+ → +\d+  \w{16} → \w{16}  same$", shown, re.MULTILINE)
    assert kinds == ["note", "alias", "session", "setting", "file", "vector"]
