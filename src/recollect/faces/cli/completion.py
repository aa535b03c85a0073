"""`recollect completion`: a script for the shell to complete commands and options with."""

import argparse
from importlib import import_module

from recollect.faces.cli.arguments import bare_command
from recollect.faces.cli.commands import COMMANDS, Exit


def parser() -> argparse.ArgumentParser:
    own = bare_command(
        "completion", "Prints a completion script.", 'bash: eval "$(recollect completion bash)"'
    )
    own.add_argument("shell", choices=("bash", "zsh", "tcsh"), help="the shell it is for")
    return own


def run(given: argparse.Namespace) -> int:
    import shtab

    print(shtab.complete(whole_parser(), shell=given.shell))
    return Exit.OK


def whole_parser() -> argparse.ArgumentParser:
    """Every command in one parser: too slow to make for a search, just right for a shell or a test."""
    whole = argparse.ArgumentParser(prog="recollect")
    commands = whole.add_subparsers()
    for name, one in COMMANDS.items():
        module = import_module(f"recollect.faces.cli.{one.module}")
        parents = [module.parser()]
        commands.add_parser(name, help=one.summary, parents=parents, add_help=False)
    return whole
