"""`recollect eval abstain`: how well an answer that is not there is told from one that is."""

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
    own.add_argument("--recipe", default="vault", metavar="NAME")
    own.add_argument(
        "--unanswerable",
        default="",
        metavar="A,B",
        help="strata whose questions have no answer, whatever their judgments say",
    )
    own.add_argument(
        "--record",
        action="store_true",
        help="with --labels-from: say no_relevant_match from now on",
    )
    add_indexing(own)
    add_output(own)
    own.set_defaults(act=act)


def act(given: argparse.Namespace) -> int:
    from dataclasses import asdict

    from recollect.evaluate.abstain import curve, curve_rows, with_unanswerable
    from recollect.evaluate.remembering import remembering
    from recollect.evaluate.report import risk_page
    from recollect.evaluate.tables import table
    from recollect.model.errors import BadInput

    if given.record and not given.labels_from:
        raise BadInput("record", given.record, "needs --labels-from: a store to record it in")
    strata = frozenset(name for name in given.unanswerable.split(",") if name)
    collection = with_unanswerable(collection_of(given), strata)
    recipe, questions = recipe_from(given.recipe), len(collection.questions)
    with (
        index(collection, given) as library,
        remembering(collection, library),
        Progress("asking", 2 * questions + len(collection.unanswerable)) as progress,
    ):
        found = curve(collection, library, recipe, progress.step)
    if given.html:
        write_page(given, risk_page(collection.name, found))
    if given.record:
        _record(given)
    if given.json:
        show_json(asdict(found))
    else:
        show(list(table(curve_rows(found))))
        for kind, share in found.told_apart.items():
            print(f"an answerable question is surer than one of the {kind} in {share:.1%} of pairs")
    return Exit.OK


def _record(given: argparse.Namespace) -> None:
    """From the store itself, with all of its notes and all of the off-corpus questions."""
    from recollect.evaluate.abstain import calibrate, null_scores
    from recollect.faces.cli.arguments import model_of
    from recollect.model.query import Scope
    from recollect.open import CALIBRATIONS, NO_MODEL, open_library

    with open_library(
        given.store, vectors=given.vectors, model=model_of(given), create=False
    ) as own:
        model = own.embedder.identity if own.embedder else NO_MODEL
        scores = null_scores(own, recipe_from(given.recipe), Scope.of(given.labels_from))
        kept = calibrate(scores).as_dict()
        own.store.settings.change_settings(CALIBRATIONS, {model: kept})
    print(f"recorded for {model}")
