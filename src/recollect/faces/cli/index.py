"""`recollect index`: a folder in, its notes in the store, found by words at once and then by meaning."""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect.faces.cli.arguments import add_json, add_model, command, model_of
from recollect.faces.cli.commands import Exit
from recollect.faces.cli.progress import Progress
from recollect.model.errors import BadInput

if TYPE_CHECKING:
    from recollect.open import Indexed, Library


def parser() -> argparse.ArgumentParser:
    own = command("index", "Brings folders of notes up to date in the store.")
    own.add_argument("folder", nargs="*", help="none: every folder that was indexed before")
    own.add_argument("--space", metavar="NAME", help="the space's name; else the folder's")
    own.add_argument("--no-embed", action="store_true", help="words only; meaning can follow later")
    own.add_argument("--quiet", action="store_true")
    add_model(own)
    add_json(own)
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.open import open_library

    with open_library(given.store, model=model_of(given)) as library:
        reports = [
            index_one(library, root, space, quiet=given.quiet or given.json)
            for space, root in folders_of(given, library).items()
        ]
        began = time.monotonic()
        embedded = 0 if given.no_embed else embed(library, quiet=given.quiet or given.json)
        library.publish()
        if embedded and not (given.quiet or given.json):
            rate = embedded / max(1e-9, time.monotonic() - began)
            print(f"embedded {embedded:,} passages with {_model(library)}, {rate:,.0f} a second")
    if given.json:
        print(json.dumps({"folders": reports, "embedded": embedded}, ensure_ascii=False))
    return Exit.OK


def folders_of(given: argparse.Namespace, library: "Library") -> dict[str, Path]:
    """The folders named, else those known from before, each under its space."""
    if not given.folder:
        known = {space: Path(root) for space, root in library.vaults().items()}
        if not known:
            raise BadInput("folder", "", "is needed the first time: recollect index ~/notes")
        return known
    if given.space and len(given.folder) > 1:
        raise BadInput("space", given.space, "can name one folder only; index them one by one")
    roots = [Path(folder).expanduser().resolve() for folder in given.folder]
    for root in roots:
        if not root.is_dir():
            raise BadInput("folder", str(root), "is not a folder")
    return {given.space or space_of(root, library): root for root in roots}


def space_of(root: Path, library: "Library") -> str:
    """The name it has already, else the folder's own, told apart from another's by a number."""
    known = library.vaults()
    for space, folder in known.items():
        if Path(folder) == root:
            return space
    name = root.name or "notes"
    taken = {*known, *library.spaces()}
    return (
        name
        if name not in taken
        else next(f"{name}-{n}" for n in range(2, 9999) if f"{name}-{n}" not in taken)
    )


def index_one(library: "Library", root: Path, space: str, *, quiet: bool) -> dict[str, Any]:
    began = time.monotonic()
    bars: list[Progress] = []

    def step(count: int, total: int) -> None:
        if not bars:
            bars.append(Progress(f"reading {space}", total, quiet=quiet))
        bars[0].step(count)

    found = library.index_folder(root, space, step)
    for one in bars:
        one.__exit__(None, None, None)
    report = report_of(found, time.monotonic() - began)
    if not quiet:
        show_report(found, report)
    return report


def embed(library: "Library", *, quiet: bool) -> int:
    waiting = library.waiting()
    with Progress("embedding", waiting, quiet=quiet) as bar:
        return library.embed(bar.step)


def report_of(found: "Indexed", seconds: float) -> dict[str, Any]:
    change = found.difference
    return {
        "space": found.space,
        "added": len(change.added),
        "changed": len(change.changed),
        "renamed": len(change.renamed),
        "removed": len(change.removed),
        "unchanged": len(change.unchanged),
        "written": found.written,
        "links": found.links,
        "unresolved_links": found.unresolved,
        "seconds": round(seconds, 2),
    }


def show_report(found: "Indexed", report: dict[str, Any]) -> None:
    from recollect.faces.cli.paint import paint, plain
    from recollect.vault.remark import summary_of

    counted = ", ".join(
        f"{report[what]:,} {what}"
        for what in ("added", "changed", "renamed", "removed", "unchanged")
        if report[what]
    )
    print(f"{paint(found.space, 'bold')}: {counted or 'no notes'} in {report['seconds']:g} s")
    print(f"  {report['links']:,} links lead to a note, {report['unresolved_links']:,} to none yet")
    for line in summary_of(found.remarks):
        print(paint(f"  {plain(line)}", "dim"), file=sys.stderr)


def _model(library: "Library") -> str:
    return library.embedder.identity if library.embedder else "no model"
