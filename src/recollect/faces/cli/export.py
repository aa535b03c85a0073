"""`recollect export`: everything in the store as JSON Lines."""

import argparse
import os
import sys
from pathlib import Path

from recollect.faces.cli.arguments import command
from recollect.faces.cli.commands import Exit

MARK = b'"recollect export"'  # in the first line of every export


def parser() -> argparse.ArgumentParser:
    own = command("export", "Writes everything as JSON Lines, to standard output or a file.")
    own.add_argument("target", nargs="?", type=Path, help="a file; else standard output")
    own.add_argument("--no-vectors", action="store_true", help="leave the embeddings out")
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.faces.cli.target import target_of
    from recollect.open import open_library
    from recollect.stores.transfer.writing import lines_of

    with open_library(given.store, vectors=given.vectors, model=None, create=False) as library:
        lines = lines_of(library.store.archive.records(vectors=not given.no_vectors))
        if given.target is None:
            sys.stdout.writelines(f"{line.rstrip()}\n" for line in lines)
            return Exit.OK
        target = target_of(given.target, library.place.beside, MARK)
        unfinished = target.with_name(f"{target.name}.unfinished")
        with unfinished.open("w", encoding="utf-8") as out:
            out.writelines(f"{line.rstrip()}\n" for line in lines)
            out.flush()
            os.fsync(out.fileno())
        unfinished.replace(target)
    print(f"exported to {target}")
    return Exit.OK
