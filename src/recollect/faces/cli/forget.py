"""`recollect forget`: what would go is shown first; nothing goes before it is confirmed."""

import argparse
import json
import sys
from typing import TYPE_CHECKING

from recollect.faces.cli.arguments import add_json, add_scope, command, scope_of
from recollect.faces.cli.commands import Exit
from recollect.model.errors import BadInput
from recollect.model.note import Note

if TYPE_CHECKING:
    from recollect.open import Library

SHOWN = 20
MANY = 100_000


def parser() -> argparse.ArgumentParser:
    own = command(
        "forget",
        "Removes notes from the store, by id, by query or by scope. Files are never touched.",
        "a folder's note comes back when its file changes; to keep it out, exclude it in config.toml",
    )
    own.add_argument("note", nargs="*", help="ids or paths")
    own.add_argument("--query", metavar="WORDS", help="every note that matches these words")
    own.add_argument("--everything", action="store_true", help="all that the scope options allow")
    own.add_argument("--yes", action="store_true", help="do it, without asking")
    add_scope(own)
    add_json(own)
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.open import open_library

    with open_library(given.store, vectors=given.vectors, model=None, create=False) as library:
        doomed = _chosen(given, library)
        if not doomed:
            print("nothing to forget", file=sys.stderr)
            return Exit.NOTHING_FOUND
        if not given.json:
            _show(doomed)
        if not given.yes and not _confirmed(len(doomed), as_json=given.json):
            if given.json:
                print(json.dumps({"would_forget": [note.id for note in doomed]}))
            else:
                print("nothing was removed", file=sys.stderr)
            return Exit.OK
        removed = library.forget(doomed)
    print(json.dumps({"forgotten": [n.id for n in doomed]}) if given.json else f"forgot {removed}")
    return Exit.OK


def _chosen(given: argparse.Namespace, library: "Library") -> list[Note]:
    ways = [bool(given.note), given.query is not None, given.everything]
    if sum(ways) != 1:
        raise BadInput(
            "forget", "", "needs one of: ids, --query WORDS, or --everything with a scope"
        )
    if given.note:
        return [library.find(name) for name in given.note]
    scope = scope_of(given, library, library.clock.now())
    if given.query is not None:
        return library.matching(given.query, scope)
    return list(library.store.listing.notes_in(scope, MANY))


def _show(doomed: list[Note]) -> None:
    from recollect.faces.cli.paint import plain

    print(f"{len(doomed)} to forget:")
    for note in doomed[:SHOWN]:
        line = " ".join(note.text.split())[:80]
        print(f"  {note.id}  {plain(note.title or note.path)}  {plain(line)}")
    if len(doomed) > SHOWN:
        print(f"  … and {len(doomed) - SHOWN} more")


def _confirmed(count: int, *, as_json: bool) -> bool:
    if as_json or not sys.stdin.isatty():
        if not as_json:
            print("add --yes to remove them", file=sys.stderr)
        return False
    return input(f"forget these {count}? type yes: ").strip() == "yes"
