"""`recollect import`: what `recollect export` wrote, read back in one transaction."""

import argparse
import sys
from pathlib import Path

from recollect.faces.cli.arguments import command
from recollect.faces.cli.commands import Exit
from recollect.model.errors import BadInput


def parser() -> argparse.ArgumentParser:
    own = command(
        "import", "Reads what export wrote. A wrong line is named, and nothing is stored."
    )
    own.add_argument("source", help="a file, or - for standard input")
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.open import open_library
    from recollect.stores.sqlite.importing import import_lines

    with open_library(given.store, model=None) as library:
        if given.source == "-":
            taken = import_lines(library.place, sys.stdin)
        else:
            try:
                with Path(given.source).expanduser().open(encoding="utf-8") as lines:
                    taken = import_lines(library.place, lines)
            except OSError as error:
                raise BadInput(
                    "source", given.source, f"cannot be read: {error.strerror}"
                ) from error
        library.publish()
    print("imported " + (", ".join(f"{n:,} {what}" for what, n in taken.items()) or "nothing"))
    return Exit.OK
