"""`recollect backup`: a copy of the store, made while it is in use."""

import argparse
from pathlib import Path

from recollect.faces.cli.arguments import command
from recollect.faces.cli.commands import Exit

MARK = b"RCL1"  # what SQLite calls the application's id


def parser() -> argparse.ArgumentParser:
    own = command("backup", "Copies the store while it is in use. The copy is checked.")
    own.add_argument("target", type=Path, help="the file to make")
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.faces.cli.target import target_of
    from recollect.open import open_library

    with open_library(given.store, vectors=given.vectors, model=None, create=False) as library:
        made = library.place.upkeep.backup(str(target_of(given.target, library.place.beside, MARK)))
    print(f"backed up to {made}")
    return Exit.OK
