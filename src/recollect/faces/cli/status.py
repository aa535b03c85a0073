"""`recollect status`: what is in the store, and which model serves."""

import argparse
import json
from dataclasses import asdict

from recollect.faces.cli.arguments import add_json, add_model, command, model_of
from recollect.faces.cli.commands import Exit

MEGABYTE = 1_000_000


def parser() -> argparse.ArgumentParser:
    own = command("status", "Tells what is in the store, and which model serves.")
    add_model(own)
    add_json(own)
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.open import open_library

    with open_library(
        given.store, vectors=given.vectors, model=model_of(given), create=False
    ) as library:
        found = library.store.catalogue.counts()
        serving = library.embedder.identity if library.embedder else None
        successor = library.successor.identity if library.successor else None
        waiting, folders = library.waiting(), library.vaults()
        weak = bool(library.embedder and library.embedder.weak)
        address = library.place.address
    if given.json:
        shape = asdict(found) | {"store": address, "serving": serving, "waiting": waiting}
        print(json.dumps(shape | {"successor": successor, "weak": weak, "folders": folders}))
        return Exit.OK
    print(f"store     {address} ({found.store_bytes / MEGABYTE:.1f} MB,", end=" ")
    print(f"indexes {found.index_bytes / MEGABYTE:.1f} MB)")
    print(f"notes     {found.notes:,} in {', '.join(found.spaces) or 'no space yet'}")
    print(f"passages  {found.passages:,}")
    print(f"links     {found.links_resolved:,} lead to a note, {found.links_unresolved:,} to none")
    for space, folder in folders.items():
        print(f"folder    {space}: {folder}")
    for one in found.models:
        print(f"model     {one.identity}: {one.embedded:,} passages, {one.dimensions} dimensions")
    print(f"serving   {serving or 'words only'}{' (weak: recipes lean on words)' if weak else ''}")
    if waiting:
        print(f"waiting   {waiting:,} passages for {successor}; recollect index embeds them")
    return Exit.OK
