"""`recollect tune`: learn a recipe from your own notes, and keep it only if it is shown to be better."""

import argparse
from pathlib import Path

from recollect.faces.cli.arguments import add_json
from recollect.faces.cli.commands import Exit
from recollect.faces.cli.eval_.options import (
    add_collection,
    add_indexing,
    collection_of,
    index,
    recipe_from,
    show,
    show_json,
)
from recollect.faces.cli.progress import Progress


def parser() -> argparse.ArgumentParser:
    own = argparse.ArgumentParser(
        prog="recollect tune",
        description="Learns fusion, weights and adjustments from labels, and writes a recipe only "
        "where questions held out show it to be better and no stratum drops.",
    )
    add_collection(own)
    own.add_argument("--recipe", default="vault", metavar="NAME", help="where to start from")
    own.add_argument("--write", type=Path, metavar="FILE.toml", help="where to write the recipe")
    add_indexing(own)
    add_json(own)
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.evaluate.remembering import remembering
    from recollect.evaluate.report import comparison_dict
    from recollect.evaluate.tables import comparison_table
    from recollect.evaluate.tune import tune
    from recollect.recipes.toml import write_recipe

    collection = collection_of(given)
    name = given.write.stem if given.write else f"{given.recipe}-tuned"
    with (
        index(collection, given) as library,
        remembering(collection, library),
        Progress("asking", len(collection.questions)) as progress,
    ):
        found = tune(collection, library, recipe_from(given.recipe), name, progress.step)
    if given.write and found.is_kept:
        given.write.write_text(write_recipe(found.recipe), encoding="utf-8")
    if given.json:
        strata = {name: comparison_dict(one) for name, one in found.strata.items()}
        shape = {"kept": found.is_kept, "reasons": found.reasons, "steps": found.steps}
        shape |= {"held_out": comparison_dict(found.held_out), "strata": strata}
        shape |= {"labels": found.labels, "labels_needed": found.labels_needed}
        show_json(shape | {"recipe": write_recipe(found.recipe)})
        return Exit.OK
    show(list(found.steps))
    rows = [("held out", found.held_out), *found.strata.items()]
    show(list(comparison_table(rows)))
    for reason in found.reasons:
        print(f"not kept: {reason}")
    if not found.is_kept and found.labels_needed and found.labels_needed > found.labels:
        print(
            f"a gain of this size would be shown by about {found.labels_needed:,} labels;"
            f" there are {found.labels:,}"
        )
    if found.is_kept:
        print(write_recipe(found.recipe) if given.write is None else f"wrote {given.write}")
    return Exit.OK
