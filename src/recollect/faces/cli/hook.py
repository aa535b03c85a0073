"""`recollect hook`: an agent's event in on stdin, the memories that belong to it out; and its settings."""

TYPE_CHECKING = False  # as typing has it, which takes too long to import
if TYPE_CHECKING:
    import argparse
    from pathlib import Path
    from typing import Any

EVENTS = ("UserPromptSubmit", "SessionStart")
CAPTURED = ("Stop", "PreCompact")
UNHURRIED = "--deadline-ms 3000"  # nobody waits for a session to begin or to be written down
EPILOG = """\
recollect hook install              adds the hook to .claude/settings.json, shown first
recollect hook install --user       for all your projects; --capture also stores what was said
recollect hook uninstall            removes exactly that

the exit code is 0 whatever happens: an agent must never be stopped by its memory
"""


def at_once(words: list[str]) -> int | None:
    """Answers an event before anything else is imported; None where a person asks for something."""
    if {"-h", "--help"} & set(words) or words[:1] in (["install"], ["uninstall"]):
        return None
    from recollect.faces.hook.call import main

    return main(words)


def parser() -> "argparse.ArgumentParser":
    from recollect.faces.cli.arguments import add_model, command

    own = command(
        "hook",
        "Reads an agent's event (JSON) on stdin and prints the memories that belong to it.",
        EPILOG,
    )
    own.add_argument(
        "action",
        nargs="?",
        choices=("install", "uninstall"),
        help="change an agent's settings; without it, answer an event",
    )
    add_model(own)
    own.add_argument("--space", action="append", metavar="NAME", help="where to look (memory)")
    own.add_argument("--project", metavar="NAME", help="only memories of this project")
    own.add_argument("--threshold", type=float, default=0.85, metavar="0..1", help="topic gate")
    own.add_argument("--force", action="store_true", help="answer though the topic is the same")
    own.add_argument("--budget", type=int, default=1_000, metavar="TOKENS", help="most to print")
    own.add_argument("--deadline-ms", type=float, default=240, metavar="MS", help="then give up")
    own.add_argument("--no-warm", action="store_true", help="start no background process")
    own.add_argument(
        "--idle", type=float, default=900, metavar="SECONDS", help="then that process ends"
    )
    where = own.add_argument_group("install and uninstall")
    where.add_argument("--user", action="store_true", help="~/.claude/settings.json")
    where.add_argument("--settings", metavar="FILE", help="another settings file")
    where.add_argument("--capture", action="store_true", help="also store what was said")
    where.add_argument("--yes", action="store_true", help="do it, without asking")
    return own


def run(given: "argparse.Namespace") -> int:
    from recollect.faces.hook.settings import with_hooks, without_hooks

    path = _path(given)
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    settings = _read(path, text)
    install = given.action == "install"
    made = with_hooks(settings, _commands(given)) if install else without_hooks(settings)
    if made == settings:
        print(f"{path} is as it should be; nothing to change")
        return 0
    return _change(path, text, _written(made, text), sure=given.yes)


def _path(given: "argparse.Namespace") -> "Path":
    from pathlib import Path

    if given.settings:
        return Path(given.settings).expanduser()
    return (Path.home() if given.user else Path.cwd()) / ".claude" / "settings.json"


def _commands(given: "argparse.Namespace") -> dict[str, str]:
    """The same options for every event; only a prompt is in a hurry."""
    own = _own_command(_options(given))
    events = (*EVENTS, *(CAPTURED if given.capture else ()))
    return {event: own if event == "UserPromptSubmit" else f"{own} {UNHURRIED}" for event in events}


def _options(given: "argparse.Namespace") -> list[str]:
    usual = vars(parser().parse_args([]))
    words: list[str] = []
    for name in (
        "store",
        "vectors",
        "model",
        "space",
        "project",
        "threshold",
        "budget",
        "deadline_ms",
        "idle",
    ):
        value = getattr(given, name)
        if value != usual[name]:
            for one in value if isinstance(value, list) else [value]:
                words += [f"--{name.replace('_', '-')}", _whole(name, one)]
    return [
        *words,
        *(["--force"] if given.force else []),
        *(["--no-warm"] if given.no_warm else []),
    ]


def _whole(name: str, value: "Any") -> str:
    """A path as it will be understood from any other folder; an address, unless it holds a secret."""
    from recollect.model.errors import BadInput
    from recollect.stores.whereabouts import is_address, store_meant, without_password

    if name != "store":
        return str(value)
    if is_address(value) and ":" in value.partition("://")[2].rpartition("@")[0]:
        raise BadInput(
            "store",
            without_password(value),
            "comes with a password, which settings should not hold; name it in the config file",
        )
    return store_meant(value, {})


def _own_command(options: list[str]) -> str:
    """By name where the shell finds it, else in full: an agent may have another PATH."""
    import shlex
    import shutil
    import sys

    found = shutil.which("recollect")
    words = ["recollect"] if found else [sys.executable, "-m", "recollect"]
    return shlex.join([*words, "hook", *options])


def _read(path: "Path", text: str) -> "dict[str, Any]":
    import json

    from recollect.model.errors import BadInput

    try:
        settings = json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise BadInput("settings", str(path), f"is not JSON and was left alone: {error}") from error
    if not isinstance(settings, dict):
        raise BadInput("settings", str(path), "holds no JSON object and was left alone")
    return settings


def _written(settings: "dict[str, Any]", before: str) -> str:
    """As the file is written; nothing at all where nothing is left of a file of ours."""
    from recollect.faces.hook.rewrite import rewrite

    return rewrite(before if before.strip() else "{}\n", settings) if settings else ""


def _change(path: "Path", before: str, after: str, *, sure: bool) -> int:
    import difflib
    import sys

    from recollect.faces.cli.commands import Exit

    lines = before.splitlines(keepends=True), after.splitlines(keepends=True)
    print("".join(difflib.unified_diff(*lines, f"{path}", f"{path} (new)")))
    if not sure and not sys.stdin.isatty():
        print("add --yes to write this", file=sys.stderr)
        return Exit.OK
    if not sure and input("write this? type yes: ").strip() != "yes":
        print("nothing was written", file=sys.stderr)
        return Exit.OK
    _write(path, after)
    print(f"{'wrote' if after else 'removed'} {path}")
    return Exit.OK


def _write(path: "Path", text: str) -> None:
    """Through a link to the file it means, and whole or not at all."""
    real = path.resolve()
    if not text:
        real.unlink(missing_ok=True)
        return
    real.parent.mkdir(parents=True, exist_ok=True)
    new = real.with_name(f"{real.name}.new")
    new.write_text(text, encoding="utf-8")
    if real.exists():
        new.chmod(real.stat().st_mode)
    new.replace(real)
