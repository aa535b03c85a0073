"""`recollect eval COLLECTION`: recipes measured on a collection, the first against all others."""

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.faces.cli.commands import Exit
from recollect.faces.cli.eval_.options import (
    add_collection,
    add_indexing,
    add_output,
    collection_of,
    index,
    recipe_from,
    show,
    show_json,
    write_page,
)
from recollect.faces.cli.progress import Progress

if TYPE_CHECKING:
    from recollect.evaluate.collections import Collection
    from recollect.evaluate.sweep import Sweep
    from recollect.open import Library


def add_to(own: argparse.ArgumentParser) -> None:
    add_collection(own)
    own.add_argument(
        "--recipe", action="append", metavar="NAME", help="a recipe or a TOML file; may be repeated"
    )
    own.add_argument("--mode", default="auto", help="auto, bm25, semantic or hybrid")
    own.add_argument("--run-file", type=Path, metavar="FILE", help="write the TREC run of the last")
    add_indexing(own)
    add_output(own)
    own.set_defaults(act=act)


def act(given: argparse.Namespace) -> int:
    from recollect.evaluate.compare import compared
    from recollect.evaluate.measures import MAIN
    from recollect.evaluate.report import outcome_dict, outcomes_page
    from recollect.evaluate.run import evaluate
    from recollect.evaluate.runs import write_run
    from recollect.evaluate.tables import comparison_table, outcomes_table, strata_table

    began = time.perf_counter()
    collection = collection_of(given)
    recipes = [recipe_from(name) for name in given.recipe or ("vault",)]
    outcomes = []
    with index(collection, given) as library:
        for recipe in recipes:
            with Progress(recipe.name, len(collection.questions)) as progress:
                outcomes.append(
                    evaluate(collection, library, recipe, progress=progress.step, mode=given.mode)
                )
        swept = _swept(collection, library) if given.html and library.embedder else None
    if given.run_file:
        write_run(outcomes[-1].run, given.run_file)
    if given.html:
        write_page(given, outcomes_page(outcomes, swept))
    if given.json:
        shapes = [outcome_dict(one) for one in outcomes]
        show_json(shapes if len(shapes) > 1 else shapes[0])
        return Exit.OK
    first, *others = outcomes
    took = time.perf_counter() - began
    print(f"{first.collection} · {len(first.strata)} questions · {first.model} · {took:.0f} s")
    show(list(outcomes_table(outcomes)))
    show(list(strata_table(outcomes)))
    against = [
        (f"{one.recipe} − {first.recipe}", compared(first.values[MAIN], one.values[MAIN]))
        for one in others
    ]
    if against:
        show(list(comparison_table(against)))
    return Exit.OK


def _swept(collection: "Collection", library: "Library") -> "Sweep":
    """What k and alpha would do here, for the page's plots."""
    from recollect.evaluate.remembering import remembering
    from recollect.evaluate.sweep import sweep

    with (
        remembering(collection, library),
        Progress("sweeping k and alpha", len(collection.questions)) as progress,
    ):
        return sweep(collection, library, progress.step)
