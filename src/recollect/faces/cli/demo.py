"""`recollect demo`: a small folder of notes, indexed and searched before your eyes."""

import argparse
from pathlib import Path

from recollect.faces.cli.arguments import add_model, bare_command, model_of
from recollect.faces.cli.commands import Exit
from recollect.faces.cli.index import embed, index_one
from recollect.faces.cli.paint import paint

NOTES = Path(__file__).parents[2] / "demo_notes"
QUESTIONS = (
    "prevent bread drying",  # no note has one of these words: only meaning finds the answer
    "(levain OR starter) -rye tag:baking",
    "kuberntes upgade",  # no word is spelled right: the retry ladder goes by the look of the paths
)


def parser() -> argparse.ArgumentParser:
    own = bare_command("demo", "Indexes a small folder of linked notes and searches it, explained.")
    own.add_argument(
        "--folder", metavar="FOLDER", help="another folder than the one that comes with Recollect"
    )
    own.add_argument("--store", metavar="FILE", help="where to keep it; else in the cache")
    add_model(own)
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.encoders.cache import cache_dir
    from recollect.faces.cli.show import show_answer
    from recollect.open import open_library

    root = Path(given.folder) if given.folder else NOTES
    place = Path(given.store) if given.store else cache_dir() / "demo.db"
    with open_library(place, vectors="none", model=model_of(given)) as library:
        print(paint(f"$ recollect index {root.name}", "cyan"))
        index_one(library, root.resolve(), "demo", quiet=False)
        embed(library, quiet=False)
        library.publish()
        model = library.embedder.identity if library.embedder else "none"
        print(f"store {place} · model {model}\n")
        for question in QUESTIONS:
            print(paint(f"$ recollect search --explain '{question}'", "cyan"))
            show_answer(library.ask(question, limit=3), explain=True)
            print()
    print(f"Look around: recollect search --store {place} …")
    return Exit.OK
