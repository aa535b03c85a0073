"""`recollect remember`: a memory in, its id out; found by words at once."""

import argparse
import json
import sys
import uuid
from typing import TYPE_CHECKING, Any

from recollect.faces.cli.arguments import add_json, add_model, command, model_of
from recollect.faces.cli.commands import Exit
from recollect.model.note import LEVELS, Note, importance_of

if TYPE_CHECKING:
    from recollect.engine.remember import Remembered


def parser() -> argparse.ArgumentParser:
    own = command("remember", "Stores a memory.", "reads standard input where TEXT is '-'")
    own.add_argument("text", nargs="+", help="what to remember")
    own.add_argument("--title", default="", help="shown instead of its id")
    own.add_argument(
        "--tag", action="append", default=[], metavar="TAG", help="may be given more than once"
    )
    own.add_argument(
        "--importance", default="medium", metavar="LEVEL", help="low, medium, high, or 0 to 1"
    )
    own.add_argument("--space", default="memory", metavar="NAME", help="where to keep it (memory)")
    own.add_argument("--session", metavar="ID", help="the session it belongs to")
    own.add_argument("--project", metavar="ID", help="the project it belongs to")
    own.add_argument(
        "--distinct", action="store_true", help="store it though another says the same"
    )
    add_model(own)
    add_json(own)
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.model.errors import BadInput
    from recollect.open import open_library

    text = sys.stdin.read() if given.text == ["-"] else " ".join(given.text)
    if not text.strip():
        raise BadInput("text", text, "is empty; there is nothing to remember")
    with open_library(given.store, vectors=given.vectors, model=model_of(given)) as library:
        moment = library.clock.now()
        note = Note(
            id=uuid.uuid4().hex[:12],
            space=given.space,
            text=text,
            title=given.title,
            created_at=moment,
            modified_at=moment,
            importance=importance_of(_number_or_level(given.importance)),
            session=given.session,
            project=given.project,
            tags=tuple(given.tag),
        )
        kept = library.keep(note, distinct=given.distinct)
    if given.json:
        shape = {"id": kept.note_id, "space": note.space, "outcome": kept.outcome}
        print(json.dumps(shape | {"other": kept.other}))
    else:
        print(_told(kept))
    return Exit.OK


def _told(kept: "Remembered") -> str:
    if kept.outcome == "duplicate":
        return f"known already as {kept.other}; --distinct stores it all the same"
    if kept.outcome == "supersedes":
        return f"remembered {kept.note_id}, which supersedes {kept.other}"
    return f"remembered {kept.note_id}"


def _number_or_level(text: str) -> Any:
    if text in LEVELS:
        return text
    try:
        return float(text)
    except ValueError:
        return text
