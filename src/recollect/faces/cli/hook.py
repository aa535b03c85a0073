"""`recollect hook`: an agent's event in on stdin, the memories that belong to it out."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def at_once(words: Sequence[str]) -> int | None:
    """Answers an event before anything else is imported; None where a person asks for something."""
    if any(word in ("-h", "--help") for word in words):
        return None
    from recollect.faces.hook.call import main

    return main(list(words))


def parser() -> "argparse.ArgumentParser":
    from recollect.faces.cli.arguments import add_model, command

    own = command(
        "hook",
        "Reads an agent's event (JSON) on stdin and prints the memories that belong to it.",
        "the exit code is always 0: an agent must never be stopped by its memory",
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
    return own


def run(given: "argparse.Namespace") -> int:
    raise AssertionError(given)
