"""`recollect watch`: a folder stays indexed while it is written in."""

import argparse
import signal
import sys
from pathlib import Path
from threading import Event
from types import FrameType

from recollect.faces.cli.arguments import add_model, command, model_of
from recollect.faces.cli.commands import Exit
from recollect.faces.cli.index import embed, folders_of, index_one, roots_of


def parser() -> argparse.ArgumentParser:
    own = command("watch", "Keeps a folder of notes indexed while you write. Ctrl-C ends it.")
    own.add_argument("folder", nargs="?", help="the folder; else the one indexed before")
    own.add_argument("--space", metavar="NAME", help="the space's name; else the folder's")
    own.add_argument("--polling", action="store_true", help="for network drives that tell nothing")
    add_model(own)
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.model.errors import BadInput
    from recollect.open import open_library
    from recollect.vault.settings import load_config
    from recollect.vault.watch import watch

    named = roots_of([given.folder] if given.folder else [])
    stop = _stop_on_signal()
    with open_library(
        given.store, vectors=given.vectors, model=model_of(given), create=bool(named)
    ) as library:
        folders = folders_of(named, given.space, library)
        if len(folders) != 1:
            raise BadInput("folder", list(folders), "are several; name the one to watch")
        [(space, root)] = folders.items()
        print(f"watching {root} as '{space}'; Ctrl-C ends it", file=sys.stderr)
        for _ in watch(Path(root), load_config(root).vault, stop, polling=given.polling):
            report = index_one(library, root, space, quiet=True)
            embed(library, quiet=True)
            touched = {what: report[what] for what in ("added", "changed", "renamed", "removed")}
            if any(touched.values()):
                print(", ".join(f"{count} {what}" for what, count in touched.items() if count))
    return Exit.OK


def _stop_on_signal() -> Event:
    stop = Event()

    def ask_to_stop(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ask_to_stop)
    return stop
