"""Words of a command line in, its exit code out. Only the command that was asked for is imported, so
that a search starts at once."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from recollect.faces.cli.commands import COMMANDS, Exit

USAGE: Final = "usage: recollect COMMAND [options]   (recollect COMMAND --help tells more)"


def run(words: Sequence[str]) -> int:
    """The exit code. Also where help or a wrong option would have argparse end the process."""
    try:
        code = _answer(list(words))
        sys.stdout.flush()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else Exit.USAGE
    except BrokenPipeError:
        _write_no_more()  # whoever read our output has seen enough
        return Exit.OK
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        print(f"recollect: {place}{error.strerror or error}", file=sys.stderr)
        _write_no_more()
        return Exit.FAILED
    except KeyboardInterrupt:
        print("recollect: stopped; what was done so far is kept", file=sys.stderr)
        return Exit.STOPPED
    return code


def _answer(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        print(_help())
        return Exit.OK if words else Exit.USAGE
    if words[0] in ("-V", "--version"):
        from recollect import __version__

        print(f"recollect {__version__}")
        return Exit.OK
    if words[0] not in COMMANDS:
        from difflib import get_close_matches

        close = get_close_matches(words[0], COMMANDS, n=1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        print(f"recollect: no command '{words[0]}'{hint}\n{USAGE}", file=sys.stderr)
        return Exit.USAGE
    return _run(words[0], words[1:])


def _run(name: str, words: list[str]) -> int:
    module = import_module(f"recollect.faces.cli.{COMMANDS[name].module}")
    from recollect.model.errors import BadInput, NotFound, RecollectError

    try:
        return int(module.run(module.parser().parse_args(words)))
    except (BadInput, NotFound) as error:
        print(f"recollect {name}: {error}", file=sys.stderr)
        return Exit.USAGE
    except RecollectError as error:
        print(f"recollect {name}: {error}", file=sys.stderr)
        return Exit.FAILED


def _write_no_more() -> None:
    """What is still in the buffer has nowhere to go, and Python must not complain at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _help() -> str:
    width = max(map(len, COMMANDS))
    listed = "\n".join(f"  {name:<{width}}  {one.summary}" for name, one in COMMANDS.items())
    return (
        "Memory and knowledge search that shows its work.\n\n"
        f"{USAGE}\n\n{listed}\n\n"
        "Every command takes --store STORE, a file or a postgres:// address; else $RECOLLECT_STORE, else\n"
        "what the config file says, else a file of your own.\n"
        "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 nothing found, 130 stopped."
    )
