"""`recollect eval`: a collection in, how well a recipe answers it out; and what follows from that."""

import argparse
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

from recollect.faces.cli.commands import Exit
from recollect.model.errors import RecollectError

ACTIONS: Final = {
    "measure": "how well recipes answer a collection (what is meant where no action is named)",
    "compare": "two outcomes side by side: interval, p, won and lost, moved most",
    "ablate": "a recipe taken apart: legacy formula, each leg, each boost, all together",
    "sweep": "RRF, convex and distribution-based fusion on every collection in a folder",
    "admit": "whether the judge or the exact-match bonus may be on: a bar, and a budget of time",
    "abstain": "how well an answer that is not there is told from one that is",
    "gate": "measure again, and fail on a significant drop below a baseline",
}


class EvalParser(argparse.ArgumentParser):
    """`recollect eval cranfield` means `recollect eval measure cranfield`."""

    def parse_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        words = list(args or ())
        if words and words[0] not in (*ACTIONS, "-h", "--help"):
            words = ["measure", *words]
        return super().parse_args(words or ["--help"], namespace)


def parser() -> argparse.ArgumentParser:
    own = EvalParser(prog="recollect eval", description="Measures how well recipes answer.")
    actions = own.add_subparsers(
        dest="action",
        metavar="ACTION",
        help="what to do; recollect eval ACTION --help tells its options",
        parser_class=argparse.ArgumentParser,
    )
    for name, summary in ACTIONS.items():
        module = import_module(f"recollect.faces.cli.eval_.{name}")
        module.add_to(actions.add_parser(name, help=summary, description=summary))
    return own


def run(given: argparse.Namespace) -> int:
    try:
        import ir_measures  # noqa: F401
    except ImportError as error:
        raise RecollectError(
            "measuring needs the extra 'eval': pip install 'recollect[eval]'"
        ) from error
    return int(given.act(given)) if "act" in given else Exit.USAGE
