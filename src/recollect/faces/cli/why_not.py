"""`recollect why-not`: a note that is missing from an answer, and the reason."""

import argparse
import json

from recollect.faces.cli.arguments import add_json, command, model_of
from recollect.faces.cli.commands import Exit
from recollect.faces.cli.search import add_query, question_of


def parser() -> argparse.ArgumentParser:
    own = command("why-not", "Tells why a note is not among the results of a search.")
    own.add_argument("note", help="the note's id or path")
    add_query(own)
    add_json(own)
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.engine.why_not import why_not
    from recollect.open import open_library

    with open_library(
        given.store,
        vectors=given.vectors,
        model=model_of(given),
        judge=given.rerank,
        create=False,
    ) as library:
        query, recipe = question_of(given, library)
        note = library.find(given.note)
        reasons = why_not(query, note.id, recipe, library.ports())
    print(
        json.dumps({"note_id": note.id, "reasons": reasons}) if given.json else "\n".join(reasons)
    )
    return Exit.OK
