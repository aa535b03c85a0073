"""`recollect eval ablate`: R3.7 as one command."""

import argparse

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


def add_to(own: argparse.ArgumentParser) -> None:
    add_collection(own)
    own.add_argument("--recipe", default="vault", metavar="NAME", help="the recipe to take apart")
    own.add_argument("--measure", default="RR", help="what is compared (RR, as the seed asks)")
    add_indexing(own)
    add_output(own)
    own.set_defaults(act=act)


def act(given: argparse.Namespace) -> int:
    from recollect.evaluate.ablate import variants
    from recollect.evaluate.compare import compared
    from recollect.evaluate.measures import measure_named
    from recollect.evaluate.remembering import remembering
    from recollect.evaluate.report import comparison_dict, outcome_dict, outcomes_page
    from recollect.evaluate.run import evaluate
    from recollect.evaluate.tables import comparison_table, outcomes_table

    measure = measure_named(given.measure)
    collection = collection_of(given)
    parts = list(variants(recipe_from(given.recipe), judged=given.rerank is not None))
    outcomes = []
    with index(collection, given) as library, remembering(collection, library):
        for part in parts:
            with Progress(part.name, len(collection.questions)) as progress:
                outcomes.append(evaluate(collection, library, part, progress=progress.step))
    first, *others = outcomes
    against = [(one.recipe, compared(first.values[measure], one.values[measure])) for one in others]
    if given.html:
        write_page(given, outcomes_page(outcomes))
    if given.json:
        found = {name: comparison_dict(one) for name, one in against}
        show_json({"outcomes": [outcome_dict(one) for one in outcomes], "against_first": found})
        return Exit.OK
    print(f"{first.collection} · {len(first.strata)} questions · {first.model} · {given.recipe}")
    show(list(outcomes_table(outcomes)))
    print(f"{measure} against {first.recipe}")
    show(list(comparison_table(against)))
    return Exit.OK
