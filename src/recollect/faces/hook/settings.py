"""An agent's settings in, the same with the hook added or taken away out. Pure.

Settings are JSON: {"hooks": {EVENT: [{"matcher": …, "hooks": [{"type": "command", "command": …}]}]}}.
"""

import copy
import re
from collections.abc import Mapping
from typing import Any, Final

from recollect.model.errors import BadInput

Json = dict[str, Any]
OURS: Final = re.compile(r"(?:^|[/\\\s])recollect['\"]? hook(?:\s|$)|-m recollect hook(?:\s|$)")
"""How a command that this module wrote is known again."""


def with_hooks(settings: Json, commands: Mapping[str, str], timeout: int = 10) -> Json:
    """One entry for each event; those of an earlier install are replaced, all others stay."""
    made = without_hooks(settings)
    for event, command in commands.items():
        entry = {"hooks": [{"type": "command", "command": command, "timeout": timeout}]}
        _groups(made.setdefault("hooks", {}), event, make=True).append(entry)
    return made


def without_hooks(settings: Json) -> Json:
    """Exactly our commands are taken away, and what is empty only because of that."""
    made = copy.deepcopy(settings)
    hooks = made.get("hooks")
    if hooks is None:
        return made
    if not isinstance(hooks, dict):
        raise BadInput("hooks", hooks, "is not an object in these settings")
    for event in list(hooks):
        groups = _groups(hooks, event)
        kept = [group for group in map(_without_ours, groups) if group is not None]
        if kept != groups:
            hooks[event] = kept
            if not kept:
                del hooks[event]
    if not hooks and settings["hooks"]:
        del made["hooks"]
    return made


def _without_ours(group: Any) -> Any:
    """The group as it is, or without our commands, or None where it held nothing else."""
    commands = group.get("hooks") if isinstance(group, dict) else None
    if not isinstance(commands, list):
        return group
    kept = [one for one in commands if not _is_ours(one)]
    if len(kept) == len(commands):
        return group
    return {**group, "hooks": kept} if kept else None


def _is_ours(one: Any) -> bool:
    command = one.get("command") if isinstance(one, dict) else None
    return isinstance(command, str) and bool(OURS.search(command))


def _groups(hooks: Json, event: str, *, make: bool = False) -> list[Any]:
    groups = hooks.setdefault(event, []) if make else hooks[event]
    if not isinstance(groups, list):
        raise BadInput(f"hooks.{event}", groups, "is not a list in these settings")
    return groups
