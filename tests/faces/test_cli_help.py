"""What the command line says of itself: help, docs/cli.md and completion all name the same things."""

import argparse
import re
from importlib import import_module
from pathlib import Path

import pytest

from recollect.faces.cli.commands import COMMANDS, Exit
from tests.faces.conftest import Person

PAGE = (Path(__file__).parents[2] / "docs/cli.md").read_text(encoding="utf-8")
every_command = pytest.mark.parametrize("name", COMMANDS)


def parser_of(name: str) -> argparse.ArgumentParser:
    module = import_module(f"recollect.faces.cli.{COMMANDS[name].module}")
    made = module.parser()
    assert isinstance(made, argparse.ArgumentParser)
    return made


def options_of(name: str) -> list[argparse.Action]:
    return [one for one in parser_of(name)._actions if "--help" not in one.option_strings]


def documented(one: argparse.Action) -> str:
    name = ", ".join(one.option_strings) or one.dest
    takes = one.option_strings and one.nargs != 0
    return f"| `{name}{f' {one.metavar or one.dest.upper()}' if takes else ''}` | {one.help} |"


@every_command
def test_help_tells_what_each_option_does(person: Person, name: str) -> None:
    said = person.types(name, "--help")
    assert said.code == Exit.OK
    told = " ".join(said.out.split())
    for one in options_of(name):
        assert one.help, f"{one.dest} has no help"
        assert " ".join(one.help.split()) in told
        assert all(spelling in told for spelling in one.option_strings)


@every_command
def test_every_option_is_in_the_docs_with_the_words_of_its_help(name: str) -> None:
    section = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert section, f"docs/cli.md has no section '{name}'"
    shown = re.findall(r"^\| `.*\|$", section[1], re.MULTILINE)
    assert shown == [documented(one) for one in options_of(name)]
    assert f"recollect {name}" in section[1]


def test_the_docs_name_no_command_that_is_not_there() -> None:
    assert re.findall(r"^## (.+)$", PAGE, re.MULTILINE) == list(COMMANDS)


def test_every_exit_code_is_in_the_docs_and_in_the_help(person: Person) -> None:
    told = person.types("--help").out
    for code in Exit:
        assert f"\n| {code.value} | " in PAGE
        assert str(code.value) in told


def test_the_help_lists_every_command(person: Person) -> None:
    for words in (["--help"], ["-h"], ["help"]):
        said = person.types(*words)
        assert said.code == Exit.OK
        assert all(re.search(rf"^  {name} ", said.out, re.MULTILINE) for name in COMMANDS)


def test_no_command_at_all_shows_the_help_and_is_wrong_usage(person: Person) -> None:
    said = person.types()
    assert said.code == Exit.USAGE
    assert "usage: recollect COMMAND" in said.out


def test_a_misspelled_command_is_guessed(person: Person) -> None:
    said = person.types("serach", "fox")
    assert said.code == Exit.USAGE
    assert "'serach'; did you mean 'search'?" in said.err


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "hook"])  # it must go on
def test_an_unknown_option_is_refused(person: Person, name: str) -> None:
    said = person.types(name, "--no-such-option")
    assert said.code == Exit.USAGE
    assert "usage:" in said.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion_knows_every_command_and_its_options(person: Person, shell: str) -> None:
    said = person.types("completion", shell)
    assert said.code == Exit.OK
    assert all(name in said.out for name in COMMANDS)
    assert "--deadline-ms" in said.out or shell == "tcsh"


def test_a_shell_without_completion_is_refused(person: Person) -> None:
    said = person.types("completion", "fish")
    assert said.code == Exit.USAGE
    assert "bash" in said.err
