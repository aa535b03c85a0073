"""`recollect space`: the spaces there are, and the language each speaks."""

import argparse
import json
from dataclasses import asdict

from recollect.faces.cli.arguments import add_json, command
from recollect.faces.cli.commands import Exit


def parser() -> argparse.ArgumentParser:
    own = command(
        "space",
        "Lists the spaces of a store, and sets the language a space is searched in.",
        "recollect space                           what each space holds, and its language\n"
        "recollect space berlin --language german  its words are taken apart again, as German",
    )
    own.add_argument("name", nargs="?", help="the space to change; without one all are listed")
    own.add_argument(
        "--language", metavar="NAME", help="a language Snowball knows, such as german; in Postgres"
    )
    add_json(own)
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.model.errors import BadInput
    from recollect.open import open_library

    if given.language and not given.name:
        raise BadInput(
            "language", given.language, "of which space? recollect space NAME --language …"
        )
    with open_library(given.store, vectors=given.vectors, model=None, create=False) as library:
        if given.language:
            library.speak(given.name, given.language)
        found = [
            one for one in library.store.catalogue.by_space() if given.name in (None, one.space)
        ]
        languages = library.languages()
    rows = [asdict(one) | {"language": languages.get(one.space, "english")} for one in found]
    if given.json:
        print(json.dumps(rows))
        return Exit.OK
    for row in rows:
        held = f"{row['notes']:>9,} notes {row['passages']:>9,} passages"
        print(f"{row['space']:<24} {held}  {row['language']}")
    if given.name and not rows:
        print(f"{given.name} holds nothing yet: {languages.get(given.name, 'english')}")
    return Exit.OK
