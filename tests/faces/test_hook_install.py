"""The hook in an agent's settings: shown first, added once, removed exactly."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from recollect.faces.hook.settings import with_hooks, without_hooks

OTHERS: list[dict[str, Any]] = [
    {},
    {"model": "opus"},
    {"hooks": {}},
    {"hooks": {"Stop": []}},
    {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}},
    {
        "hooks": {
            "UserPromptSubmit": [{"matcher": "x", "hooks": [{"command": "my-recollect hooky"}]}]
        }
    },
    {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": []}]}, "env": {"A": "1"}},
]
COMMANDS = {"UserPromptSubmit": "recollect hook", "SessionStart": "/bin/python3 -m recollect hook"}


@pytest.mark.parametrize("settings", OTHERS)
def test_what_was_installed_is_removed_and_nothing_else(settings: dict[str, Any]) -> None:
    installed = with_hooks(settings, COMMANDS)
    assert json.dumps(installed).count(" hook") >= 2
    removed = without_hooks(installed)
    if settings.get("hooks") == {}:
        removed.setdefault("hooks", {})
    assert removed == settings


@pytest.mark.parametrize("settings", OTHERS)
def test_installing_twice_is_installing_once(settings: dict[str, Any]) -> None:
    once = with_hooks(settings, COMMANDS)
    assert with_hooks(once, COMMANDS) == once


def test_a_group_shared_with_others_keeps_theirs() -> None:
    ours, theirs = {"command": "/opt/bin/recollect hook --force"}, {"command": "say hello"}
    settings = {"hooks": {"Stop": [{"matcher": "*", "hooks": [ours, theirs]}]}}
    assert without_hooks(settings) == {"hooks": {"Stop": [{"matcher": "*", "hooks": [theirs]}]}}


def hook(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # noqa: S603
        [sys.executable, "-m", "recollect", "hook", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )


def test_the_change_is_shown_before_it_is_made(tmp_path: Path) -> None:
    done = hook(tmp_path, "install")
    assert done.returncode == 0
    assert '+    "UserPromptSubmit": [' in done.stdout
    assert "--yes" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_installed_and_uninstalled_in_a_project(tmp_path: Path) -> None:
    path = tmp_path / ".claude" / "settings.json"
    path.parent.mkdir()
    before = '{\n    "model": "opus"\n}\n'
    path.write_text(before)
    assert hook(tmp_path, "install", "--yes", "--capture", "--budget", "500").returncode == 0
    hooks = json.loads(path.read_text())["hooks"]
    assert list(hooks) == ["UserPromptSubmit", "SessionStart", "Stop", "PreCompact"]
    command = hooks["UserPromptSubmit"][0]["hooks"][0]["command"]
    assert command.endswith("hook --budget 500")
    assert (
        "nothing to change"
        in hook(tmp_path, "install", "--yes", "--capture", "--budget", "500").stdout
    )
    hook(tmp_path, "uninstall", "--yes")
    assert path.read_text() == before


WRITTEN_BY_HAND = """{
    "permissions": {"allow": ["Bash(ls:*)", "Read"], "deny": []},
    "hooks": {
        "UserPromptSubmit": [ {"hooks": [{"type": "command", "command": "say hi"}]} ],
\t"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "check"}]}]
    },

    "model": "opus" }
"""


def test_what_others_wrote_stays_as_they_wrote_it(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    path.write_text(WRITTEN_BY_HAND)
    done = hook(tmp_path, "install", "--yes", "--capture", "--settings", str(path))
    gone = [line for line in done.stdout.splitlines() if line.startswith("-")]
    assert len(gone) == 3, "the file's name, and the two lines after which something follows"
    assert json.dumps(json.loads(path.read_text())).count("recollect hook") == 4
    hook(tmp_path, "uninstall", "--yes", "--settings", str(path))
    assert path.read_text() == WRITTEN_BY_HAND


def test_a_file_that_only_held_the_hook_goes_with_it(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    hook(tmp_path, "install", "--yes", "--settings", str(path))
    assert path.exists()
    hook(tmp_path, "uninstall", "--yes", "--settings", str(path))
    assert not path.exists()


@pytest.mark.parametrize(
    "text", ["{ // a comment\n}", "[]", '{"hooks": 3}', '{"hooks": {"Stop": 1}}']
)
def test_settings_that_are_not_understood_are_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "own.json"
    path.write_text(text)
    done = hook(tmp_path, "uninstall", "--yes", "--settings", str(path))
    assert done.returncode == 2
    assert path.read_text() == text
