"""The options that commands share, spelled once."""

import argparse
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from recollect.faces.moments import moment_of
from recollect.model.errors import BadInput, NotFound
from recollect.model.query import Scope, weight_of

if TYPE_CHECKING:
    from recollect.open import Library


def command(name: str, about: str, epilog: str = "") -> argparse.ArgumentParser:
    """A command over a store."""
    parser = bare_command(name, about, epilog)
    add_store(parser)
    return parser


def add_store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--store", metavar="STORE", help="a file or a postgres:// address; else $RECOLLECT_STORE"
    )
    parser.add_argument(
        "--vectors", metavar="URL", help="a Qdrant for its vectors; else $RECOLLECT_VECTORS"
    )


def bare_command(name: str, about: str, epilog: str = "") -> argparse.ArgumentParser:
    return argparse.ArgumentParser(
        prog=f"recollect {name}",
        description=about,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model",
        default="auto",
        metavar="NAME",
        help="auto (default), minilm, static, none, onnx:FOLDER or an http address",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON for programs")


def add_scope(parser: argparse.ArgumentParser) -> None:
    scope = parser.add_argument_group("what may be seen")
    scope.add_argument("--space", action="append", metavar="NAME", help="a vault or memory space")
    scope.add_argument("--session", action="append", metavar="ID", help="of this session only")
    scope.add_argument("--project", action="append", metavar="ID", help="of this project only")
    scope.add_argument("--tag", action="append", default=[], metavar="TAG", help="with this tag")
    scope.add_argument("--since", metavar="WHEN", help="a date, or an age such as 3d, 2w, 6m, 1y")
    scope.add_argument("--before", metavar="WHEN", help="likewise; what is newer is left out")
    scope.add_argument("--exclude", action="append", default=[], metavar="ID", help="not this note")


def scope_of(given: argparse.Namespace, library: "Library", now: datetime) -> Scope:
    known = library.spaces()
    for space in given.space or ():
        if space not in known and space not in library.vaults():
            raise NotFound("space", space, known)
    return Scope.of(
        *(given.space or known or ("memory",)),
        sessions=given.session,
        projects=given.project,
        tags=given.tag,
        since=moment_of("since", given.since, now),
        before=moment_of("before", given.before, now),
        excluded=given.exclude,
    )


def weights_of(pairs: Iterable[str]) -> dict[str, float]:
    """`words=2 meaning=0.5`"""
    weights = {}
    for pair in pairs:
        leg, equals, number = pair.partition("=")
        try:
            weights[leg] = weight_of(f"weight {leg}", float(number))
        except ValueError:
            raise BadInput("weight", pair, "is not LEG=NUMBER with a number from 0 to 5") from None
        if not equals:
            raise BadInput("weight", pair, "is not LEG=NUMBER")
    return weights


def model_of(given: argparse.Namespace) -> str | None:
    return None if given.model == "none" else str(given.model)
