"""The verbs, each with the module that runs it and a line for the help; and the exit codes."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, NamedTuple


class Exit(IntEnum):
    OK = 0
    FAILED = 1
    USAGE = 2
    NOTHING_FOUND = 3
    STOPPED = 130


class Command(NamedTuple):
    module: str
    summary: str


COMMANDS: Final[Mapping[str, Command]] = {
    "init": Command("init", "make a store, and set up a folder of notes to be indexed"),
    "index": Command("index", "bring a folder of notes up to date in the store"),
    "watch": Command("watch", "keep a folder indexed while you write"),
    "search": Command("search", "find notes by words and meaning"),
    "explain": Command("explain", "search, and show how every score came about"),
    "why-not": Command("why_not", "tell why a note is not among the results"),
    "get": Command("get", "show a note"),
    "remember": Command("remember", "store a memory"),
    "forget": Command("forget", "remove notes: shown first, then confirmed"),
    "eval": Command("eval_", "measure recipes on a collection, compare them, sweep fusions"),
    "tune": Command("tune", "learn a recipe for your own notes, if it is shown to be better"),
    "recipes": Command("recipes", "list the recipes, or show one as TOML"),
    "model": Command("model", "list and install embedding models, drop their vectors"),
    "space": Command("space", "list the spaces, set the language a space is searched in"),
    "mcp": Command("mcp", "serve memory to agents over the Model Context Protocol"),
    "hook": Command("hook", "answer an agent's prompt event with what is remembered"),
    "status": Command("status", "what is in the store, and which model serves"),
    "doctor": Command("doctor", "check the store and its indexes"),
    "backup": Command("backup", "copy the store while it is in use"),
    "export": Command("export", "write everything as JSON Lines"),
    "import": Command("import_", "read what export wrote"),
    "migrate": Command("migrate", "copy everything to another store, and compare the two"),
    "serve": Command("serve", "serve HTTP and the web page"),
    "token": Command("token", "make, list and revoke tokens for the service"),
    "demo": Command("demo", "index a small folder of notes and search it, explained"),
    "completion": Command("completion", "print a completion script for bash, zsh or tcsh"),
}
