"""`recollect eval compare A B`: what eval --json wrote, or two TREC runs over a collection."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.faces.cli.arguments import add_json
from recollect.faces.cli.commands import Exit
from recollect.faces.cli.eval_.options import show, show_json
from recollect.model.errors import BadInput

if TYPE_CHECKING:
    from recollect.evaluate.measures import Values


def add_to(own: argparse.ArgumentParser) -> None:
    own.add_argument("before", type=Path, help="what eval --json wrote, or a TREC run")
    own.add_argument("after", type=Path)
    own.add_argument("--collection", metavar="FOLDER", help="with TREC runs: whose judgments count")
    own.add_argument("--qrels", default="test", metavar="NAME")
    own.add_argument("--measure", default="nDCG@10", help="nDCG@10, RR, AP, P@3, R@100, …")
    add_json(own)
    own.set_defaults(act=act)


def act(given: argparse.Namespace) -> int:
    from recollect.evaluate.compare import compared
    from recollect.evaluate.report import comparison_dict
    from recollect.evaluate.tables import comparison_table, moved_table

    found = compared(values_in(given.before, given), values_in(given.after, given))
    if given.json:
        show_json(comparison_dict(found) | {"measure": given.measure})
        return Exit.OK
    show(list(comparison_table([(given.measure, found)])))
    show(list(moved_table(found)))
    return Exit.OK


def values_in(path: Path, given: argparse.Namespace) -> "Values":
    from recollect.evaluate.collections import read_collection
    from recollect.evaluate.measures import measure_named, measured
    from recollect.evaluate.report import outcomes_of
    from recollect.evaluate.runs import read_run

    measure = measure_named(given.measure)
    if given.collection:
        judgments = read_collection(given.collection, given.qrels).judgments
        return measured(read_run(path), judgments, [measure])[measure]
    [outcome, *more] = outcomes_of(_text(path), str(path))
    if more:
        raise BadInput("outcome", str(path), f"holds {len(more) + 1} recipes; one is compared")
    if measure not in outcome.values:
        known = ", ".join(map(str, outcome.values))
        raise BadInput("measure", given.measure, f"is not in {path}; it has {known}")
    return outcome.values[measure]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput("outcome", str(path), f"cannot be read: {error}") from error
