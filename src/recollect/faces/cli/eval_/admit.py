"""`recollect eval admit PART`: whether the judge or the exact-match bonus may be on, and why."""

import argparse

from recollect.faces.cli.arguments import add_json
from recollect.faces.cli.commands import Exit
from recollect.faces.cli.eval_.options import (
    add_collection,
    add_indexing,
    collection_of,
    index,
    recipe_from,
    show_json,
)
from recollect.faces.cli.progress import Progress


def add_to(own: argparse.ArgumentParser) -> None:
    own.add_argument("part", choices=("rerank", "exact_match"))
    add_collection(own)
    own.add_argument("--recipe", default="memory", metavar="NAME")
    own.add_argument("--bar", type=float, default=0.0, help="what the gain must exceed (0)")
    own.add_argument("--budget-ms", type=float, default=240.0, help="for 95 %% of searches (240)")
    add_indexing(own)
    add_json(own)
    own.set_defaults(act=act)


def act(given: argparse.Namespace) -> int:
    """Decided on the user's own labels, it is recorded in the store those came from."""
    from recollect.evaluate.admit import admit
    from recollect.open import DECISIONS, open_library

    collection = collection_of(given)
    with (
        index(collection, given) as library,
        Progress(given.part, 2 * len(collection.questions)) as progress,
    ):
        found = admit(
            collection,
            library,
            recipe_from(given.recipe),
            given.part,
            bar=given.bar,
            budget_ms=given.budget_ms,
            progress=progress.step,
        )
    if given.labels_from:
        with open_library(given.store, vectors=given.vectors, model=None, create=False) as own:
            key = f"{found.recipe}/{found.part}"
            own.store.settings.change_settings(DECISIONS, {key: found.as_dict()})
    if given.json:
        show_json(found.as_dict())
    else:
        print(found.told())
        print("recorded in the store" if given.labels_from else "not recorded: no store was asked")
    return Exit.OK
