"""`recollect search`: words in, results out."""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.faces.cli.arguments import (
    add_json,
    add_model,
    add_scope,
    command,
    model_of,
    scope_of,
    weights_of,
)
from recollect.faces.cli.commands import Exit
from recollect.model.errors import BadInput
from recollect.model.query import Query, Scope

if TYPE_CHECKING:
    from recollect.model.answer import Answer
    from recollect.open import Library
    from recollect.recipes.recipe import Recipe

EXAMPLES = """\
the query language:
  fox night          notes with any of the words, the best first
  "quick fox"        exactly these words in this order
  fox -hound         without the word; also NOT hound
  title:fox tag:den  in a field: title, path, tag, text
  kube*              words that begin so
  (a OR b) AND c     operators are written in capitals
"""


def parser() -> argparse.ArgumentParser:
    own = command("search", "Finds notes by words and meaning.", EXAMPLES)
    add_query(own)
    own.add_argument("--explain", action="store_true", help="a bar per leg, and every adjustment")
    add_json(own)
    return own


def add_query(own: argparse.ArgumentParser) -> None:
    own.add_argument("query", nargs="+", help="what to look for")
    own.add_argument("--recipe", metavar="NAME", help="a recipe, or a TOML file with one")
    own.add_argument("-n", "--limit", type=int, metavar="N", help="how many results (10)")
    own.add_argument("--mode", default="auto", help="auto, bm25, semantic or hybrid")
    own.add_argument("--sort-by", default="relevance", help="relevance, recency or importance")
    own.add_argument("--weight", action="append", default=[], metavar="LEG=N", help="0 to 5")
    own.add_argument("--floor", type=float, metavar="0..1", help="leave out what scores lower")
    own.add_argument(
        "--deadline-ms", type=float, metavar="MS", help="answer with what is there by then"
    )
    own.add_argument("--rerank", metavar="NAME", help="maxsim, onnx:FOLDER or an http address")
    add_model(own)
    add_scope(own)


def run(given: argparse.Namespace) -> int:
    from recollect.faces.cli.show import show_answer

    answer = answered(given)
    if given.json:
        print(json.dumps(answer.as_dict(), ensure_ascii=False))
    else:
        show_answer(answer, explain=given.explain)
    return Exit.OK if answer.results else Exit.NOTHING_FOUND


def answered(given: argparse.Namespace) -> "Answer":
    from recollect.open import open_library

    with open_library(
        given.store,
        vectors=given.vectors,
        model=model_of(given),
        judge=given.rerank,
        create=False,
    ) as library:
        if not library.spaces():
            print("the store is empty; fill it: recollect index FOLDER", file=sys.stderr)
        query, recipe = question_of(given, library)
        return library.answer(query, recipe)


def question_of(given: argparse.Namespace, library: "Library") -> "tuple[Query, Recipe]":
    now = library.clock.now()
    scope = scope_of(given, library, now)
    query = Query(
        " ".join(given.query),
        scope,
        now,
        limit=given.limit,
        mode=given.mode,
        sort_by=given.sort_by,
        weights=weights_of(given.weight),
        floor=given.floor,
        deadline_ms=given.deadline_ms,
    )
    recipe = _recipe_of(given, scope, library)
    return query, _with_rerank(recipe) if given.rerank else recipe


def _recipe_of(given: argparse.Namespace, scope: Scope, library: "Library") -> "Recipe":
    """By name, from a file, or the one that fits what is asked."""
    from recollect.recipes.shelf import recipe_named

    if given.recipe is None:
        return library.recipe_for(scope)
    if not given.recipe.endswith(".toml"):
        return recipe_named(given.recipe)
    from recollect.recipes.toml import read_recipe

    try:
        return read_recipe(Path(given.recipe).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput("recipe", given.recipe, f"cannot be read: {error.strerror}") from error


def _with_rerank(recipe: "Recipe") -> "Recipe":
    from recollect.recipes.recipe import Rerank

    own = recipe.rerank or Rerank(document="passage")
    return replace(recipe, rerank=replace(own, enabled=True))
