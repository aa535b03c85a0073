"""`recollect index`: a folder in, its notes in the store, found by words at once and then by meaning."""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect.faces.cli.arguments import add_json, add_model, command, model_of
from recollect.faces.cli.commands import Exit
from recollect.faces.cli.progress import Progress
from recollect.model.errors import BadInput, NotFound

if TYPE_CHECKING:
    from recollect.open import Library
    from recollect.open.folders import Indexed


def parser() -> argparse.ArgumentParser:
    own = command("index", "Brings folders of notes up to date in the store.")
    own.add_argument("folder", nargs="*", help="none: every folder that was indexed before")
    own.add_argument("--space", metavar="NAME", help="the space's name; else the folder's")
    own.add_argument("--no-embed", action="store_true", help="words only; meaning can follow later")
    own.add_argument("--quiet", action="store_true", help="say nothing unless something is wrong")
    add_model(own)
    add_json(own)
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.open import open_library

    quiet = given.quiet or given.json
    named = roots_of(given.folder)
    with open_library(
        given.store, vectors=given.vectors, model=model_of(given), create=bool(named)
    ) as library:
        folders = folders_of(named, given.space, library)
        reports = [
            report
            for space, root in folders.items()
            if (
                report := _index_or_tell(library, root, space, quiet=quiet, alone=len(folders) == 1)
            )
        ]
        began = time.monotonic()
        embedded = 0 if given.no_embed else embed(library, quiet=quiet)
        library.publish()
        if embedded and not quiet:
            rate = embedded / max(1e-9, time.monotonic() - began)
            print(f"embedded {embedded:,} passages with {_model(library)}, {rate:,.0f} a second")
    if given.json:
        print(json.dumps({"folders": reports, "embedded": embedded}, ensure_ascii=False))
    return Exit.OK if len(reports) == len(folders) else Exit.FAILED


def roots_of(folders: Sequence[str]) -> list[Path]:
    """Looked at before the store is: a slip of the hand must not leave an empty one behind."""
    for folder in folders:
        if not Path(folder).expanduser().is_dir():
            raise BadInput("folder", folder, "is not a folder")
    return [Path(folder).expanduser().resolve() for folder in folders]


def folders_of(named: Sequence[Path], space: str | None, library: "Library") -> dict[str, Path]:
    """The folders named, else those known from before, each under its space."""
    known = {own: Path(root) for own, root in library.vaults().items()}
    if not named:
        if not known:
            raise BadInput("folder", "", "is needed the first time: recollect index ~/notes")
        if space is not None and space not in known:
            raise NotFound("indexed folder with the space", space, known)
        return known if space is None else {space: known[space]}
    if space is None:
        folders: dict[str, Path] = {}
        for root in named:
            folders[space_of(root, {**known, **folders}, library.spaces())] = root
        return folders
    if len(named) > 1:
        raise BadInput("space", space, "can name one folder only; index them one by one")
    before = known.get(space, named[0])
    if before != named[0] and before.is_dir():
        raise BadInput("space", space, f"is the folder {before}; give this one another name")
    return {space: named[0]}


def space_of(root: Path, known: Mapping[str, Path], spaces: Iterable[str]) -> str:
    """The name it has already, else the folder's own, told apart from another's by a number."""
    for space, folder in known.items():
        if folder == root:
            return space
    name = root.name or "notes"
    taken = {*known, *spaces}
    return (
        name
        if name not in taken
        else next(f"{name}-{n}" for n in range(2, 9999) if f"{name}-{n}" not in taken)
    )


def _index_or_tell(
    library: "Library", root: Path, space: str, *, quiet: bool, alone: bool
) -> dict[str, Any] | None:
    """One folder of several that cannot be read, as on a disk that is away, does not stop the rest."""
    try:
        return index_one(library, root, space, quiet=quiet)
    except BadInput as error:
        if alone:
            raise
        print(f"recollect index: {error}", file=sys.stderr)
        return None


def index_one(library: "Library", root: Path, space: str, *, quiet: bool) -> dict[str, Any]:
    began = time.monotonic()
    with Progress(f"reading {space}", quiet=quiet) as bar:
        found = library.index_folder(root, space, bar.step_of)
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
