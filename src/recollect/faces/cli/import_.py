"""`recollect import`: what `recollect export` wrote, read back in one transaction."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from recollect.faces.cli.arguments import command
from recollect.faces.cli.commands import Exit
from recollect.model.errors import BadInput

if TYPE_CHECKING:
    from recollect.model.records import Record

PLURALS = {"alias": "aliases"}


def parser() -> argparse.ArgumentParser:
    own = command(
        "import", "Reads what export wrote. A wrong line is named, and nothing is stored."
    )
    own.add_argument("source", help="a file, or - for standard input")
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.open import open_library
    from recollect.stores.transfer.reading import records_of

    taken: Counter[str] = Counter()
    with (
        _opened(given.source) as lines,
        open_library(given.store, vectors=given.vectors, model=None) as library,
    ):
        try:
            library.store.archive.take(_counted(records_of(lines), taken))
        except UnicodeDecodeError as error:
            raise BadInput("source", given.source, f"is not UTF-8: {error.reason}") from error
        library.publish()
    counted = (
        f"{n:,} {what if n == 1 else PLURALS.get(what, f'{what}s')}" for what, n in taken.items()
    )
    print(f"imported {', '.join(counted) or 'nothing'}")
    return Exit.OK


def _counted(records: "Iterator[Record]", taken: Counter[str]) -> "Iterator[Record]":
    from recollect.model.records import kind_of

    for record in records:
        taken[kind_of(record)] += 1
        yield record


@contextmanager
def _opened(source: str) -> Iterator[TextIO]:
    """Before the store is: a source that is not there must not leave an empty store behind."""
    if source == "-":
        yield sys.stdin
        return
    path = Path(source).expanduser()
    if not path.is_file() and not path.is_fifo():
        raise BadInput("source", source, "is not a file that can be read")
    with path.open(encoding="utf-8") as lines:
        yield lines
