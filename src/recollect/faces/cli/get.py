"""`recollect get`: a note's text, by id or path."""

import argparse
import json

from recollect.faces.cli.arguments import add_json, command
from recollect.faces.cli.commands import Exit


def parser() -> argparse.ArgumentParser:
    own = command("get", "Shows a note. Reading it counts as a use of it.")
    own.add_argument("note", help="an id, or a path (its end is enough if it is the only one)")
    own.add_argument("--space", metavar="NAME", help="look only in this space")
    own.add_argument("--no-count", action="store_true", help="do not count this as a use")
    add_json(own)
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.faces.cli.paint import paint, plain
    from recollect.open import open_library

    with open_library(given.store, vectors=given.vectors, model=None, create=False) as library:
        note = library.find(given.note, given.space)
        if not given.no_count:
            library.store.usage.used([note.id], library.clock.now())
        linking = library.store.listing.linking_to(note.id)
    if given.json:
        shape = {name: getattr(note, name) for name in ("id", "space", "path", "title", "text")}
        shape |= {"importance": note.importance, "tags": note.tags, "session": note.session}
        shape |= {"created_at": note.created_at.isoformat(), "project": note.project}
        shape |= {"modified_at": note.modified_at.isoformat(), "backlinks": list(linking)}
        print(json.dumps(shape, ensure_ascii=False))
        return Exit.OK
    print(paint(plain(note.title or note.path or note.id), "bold"))
    about = [note.id, note.space, note.path, f"{note.modified_at:%Y-%m-%d}"]
    print(paint(plain(" · ".join(one for one in about if one)), "dim"))
    print(f"\n{plain(note.text)}")
    return Exit.OK
