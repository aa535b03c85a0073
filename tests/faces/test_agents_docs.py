"""docs/agents.md says what is there."""

import json
import re
import shlex
from importlib import import_module
from pathlib import Path
from typing import Any

from recollect.faces.cli.commands import COMMANDS
from recollect.faces.cli.hook import EVENTS, UNHURRIED
from recollect.faces.hook.settings import with_hooks
from recollect.faces.mcp.tools import TOOLS
from recollect.model.recollection import Memory, Recollection
from recollect.stores.recollections import as_json
from tests.building import NOW

PAGE = (Path(__file__).parents[2] / "docs/agents.md").read_text(encoding="utf-8")
SHOWN = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


def test_every_tool_is_documented_with_its_hint() -> None:
    rows = re.findall(r"^\| `(\w+)` \|.*\| (reads|writes|destroys) \|$", PAGE, re.MULTILINE)
    hints = [
        "destroys" if tool.destroys else "reads" if tool.reads_only else "writes" for tool in TOOLS
    ]
    assert rows == [(tool.name, hint) for tool, hint in zip(TOOLS, hints, strict=True)]


def test_the_settings_shown_are_those_that_install_writes() -> None:
    prompt, start = EVENTS
    commands = {prompt: "recollect hook", start: f"recollect hook {UNHURRIED}"}
    assert with_hooks({}, commands) in SHOWN


def test_the_file_shown_has_every_field() -> None:
    made = as_json(Recollection("s", NOW, (Memory("a", "text", NOW, 0.5, 0.1),)))
    [shown] = [one for one in SHOWN if "format" in one]
    assert list(shown) == list(made)
    assert list(shown["memories"][0]) == list(made["memories"][0])


def test_every_command_shown_is_understood() -> None:
    shown = re.findall(r"^(?:claude mcp add recollect -- )?(recollect [^#\n]+)", PAGE, re.MULTILINE)
    shown += re.findall(r"`(recollect (?:hook|mcp|init)[^`]*)`", PAGE)
    shown += [one["command"] for one in commands_in(SHOWN)]
    assert len(shown) > 8
    for line in shown:
        _, name, *words = shlex.split(line)
        module = import_module(f"recollect.faces.cli.{COMMANDS[name].module}")
        module.parser().parse_args(words)


def commands_in(shown: list[Any]) -> list[dict[str, Any]]:
    """The commands of the settings shown, and the servers of the client configurations."""
    hooks = [
        one
        for page in shown
        for groups in page.get("hooks", {}).values()
        for group in groups
        for one in group["hooks"]
    ]
    servers = [one for page in shown for one in page.get("mcpServers", {}).values()]
    return hooks + [{"command": shlex.join([one["command"], *one["args"]])} for one in servers]
