"""The options that the actions of `eval` share, spelled once."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect.faces.cli.arguments import add_json, add_model, add_store
from recollect.faces.cli.progress import Progress
from recollect.model.errors import BadInput

if TYPE_CHECKING:
    from recollect.evaluate.collections import Collection
    from recollect.open import Library
    from recollect.recipes.recipe import Recipe


def add_collection(own: argparse.ArgumentParser) -> None:
    own.add_argument(
        "collection",
        nargs="?",
        help="a folder in BEIR layout, or its name in the folder RECOLLECT_DATA",
    )
    own.add_argument("--qrels", default="test", metavar="NAME", help="qrels/NAME.tsv (test)")
    own.add_argument(
        "--labels-from",
        metavar="SPACE",
        help="your own notes instead: links, aliases, headings, names and questions are labels",
    )
    add_store(own)


def collection_of(given: argparse.Namespace) -> "Collection":
    """A folder's, or one made from the user's own notes."""
    from recollect.evaluate.collections import read_collection
    from recollect.evaluate.labels import labelled
    from recollect.open import open_library

    if (given.collection is None) == (given.labels_from is None):
        raise BadInput("collection", given.collection, "or --labels-from SPACE: name one of them")
    if given.collection is not None:
        return read_collection(given.collection, given.qrels)
    with open_library(given.store, vectors=given.vectors, model=None, create=False) as library:
        return labelled(given.labels_from, library)


def add_output(own: argparse.ArgumentParser) -> None:
    add_json(own)
    own.add_argument("--html", type=Path, metavar="FILE", help="write a page with plots")


def add_indexing(own: argparse.ArgumentParser) -> None:
    add_model(own)
    own.add_argument("--rerank", metavar="NAME", help="maxsim, onnx:FOLDER or an http address")
    own.add_argument(
        "--cache", type=Path, metavar="FOLDER", help="where indexes are kept; else $RECOLLECT_CACHE"
    )


def recipe_from(text: str) -> "Recipe":
    """A recipe's name, or a TOML file with one."""
    from recollect.recipes.shelf import recipe_named
    from recollect.recipes.toml import read_recipe

    if not text.endswith(".toml"):
        return recipe_named(text)
    try:
        return read_recipe(Path(text).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput("recipe", text, f"cannot be read: {error.strerror}") from error


def index(collection: "Collection", given: argparse.Namespace) -> "Library":
    from recollect.evaluate.indexing import indexed
    from recollect.faces.cli.arguments import model_of

    passages = sum(len(collection.passages.get(note.id, (note,))) for note in collection.notes)
    with Progress(f"embedding {collection.name}", passages) as progress:
        return indexed(
            collection,
            model_of(given),
            judge=given.rerank,
            cache=given.cache,
            progress=progress.step,
        )


def write_page(given: argparse.Namespace, page: str) -> None:
    given.html.write_text(page, encoding="utf-8")
    print(f"wrote {given.html}", file=sys.stderr)


def show(lines: Sequence[str]) -> None:
    if lines:
        print("\n".join(lines))
        print()


def show_json(shape: Any) -> None:
    print(json.dumps(shape, ensure_ascii=False))
