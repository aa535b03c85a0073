"""`recollect init`: a store, and a folder ready to be indexed with settings to change."""

import argparse
from pathlib import Path

from recollect.faces.cli.arguments import command
from recollect.faces.cli.commands import Exit
from recollect.model.errors import BadInput


def parser() -> argparse.ArgumentParser:
    own = command("init", "Makes a store, and sets up a folder of notes to be indexed.")
    own.add_argument("folder", nargs="?", help="a folder of notes to write a config.toml into")
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.open import open_library
    from recollect.open.addresses import store_address

    address = store_address(given.store, given.vectors)
    missing = address.is_missing()
    with open_library(address, model=None):
        print(f"{'made' if missing else 'found'} the store {address}")
    if given.folder:
        _set_up(Path(given.folder).expanduser())
    return Exit.OK


def _set_up(root: Path) -> None:
    from recollect.ingest.config_text import CONFIG_TEXT
    from recollect.vault.settings import CONFIG

    if not root.is_dir():
        raise BadInput("folder", str(root), "is not a folder")
    place = root / CONFIG
    if place.exists():
        print(f"kept {place}")
    else:
        place.parent.mkdir(exist_ok=True)
        place.write_text(CONFIG_TEXT, encoding="utf-8")
        print(f"made {place}, with every setting at its default")
    print(f"next: recollect index {root}")
