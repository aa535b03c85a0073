"""`recollect eval gate --baseline FILE`: measured again; a significant drop is a failure."""

import argparse
from pathlib import Path

from recollect.faces.cli.commands import Exit
from recollect.faces.cli.eval_.options import add_indexing, index, recipe_from, show
from recollect.model.errors import BadInput


def add_to(own: argparse.ArgumentParser) -> None:
    own.add_argument("--baseline", type=Path, required=True, help="what eval --json wrote")
    own.add_argument("--collection", metavar="FOLDER", help="where it is; else by its name")
    own.add_argument("--qrels", default="test", metavar="NAME")
    own.add_argument("--recipe", metavar="NAME", help="measure this one, not the baseline's own")
    own.add_argument("--measure", default="nDCG@10")
    add_indexing(own)
    own.set_defaults(act=act)


def act(given: argparse.Namespace) -> int:
    from recollect.evaluate.collections import read_collection
    from recollect.evaluate.compare import compared
    from recollect.evaluate.measures import measure_named
    from recollect.evaluate.report import outcomes_of
    from recollect.evaluate.run import evaluate
    from recollect.evaluate.tables import comparison_table, moved_table

    try:
        text = given.baseline.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput("baseline", str(given.baseline), f"cannot be read: {error}") from error
    measure = measure_named(given.measure)
    worse = False
    for baseline in outcomes_of(text, str(given.baseline)):
        collection = read_collection(given.collection or baseline.collection, given.qrels)
        recipe = recipe_from(given.recipe or baseline.recipe)
        with index(collection, given) as library:
            now = evaluate(collection, library, recipe, measures=[measure])
        if now.model != baseline.model:
            print(f"the baseline was measured with {baseline.model}, this with {now.model}")
        found = compared(baseline.values[measure], now.values[measure])
        show(list(comparison_table([(f"{baseline.collection} · {recipe.name}", found)])))
        if found.is_worse:
            show(list(moved_table(found)))
        worse = worse or found.is_worse
    return Exit.FAILED if worse else Exit.OK
