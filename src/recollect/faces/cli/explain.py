"""`recollect explain`: the search as it is, with every number that made it."""

import argparse
import json

from recollect.faces.cli.arguments import add_json, command
from recollect.faces.cli.commands import Exit
from recollect.faces.cli.search import add_query, answered


def parser() -> argparse.ArgumentParser:
    own = command("explain", "Searches, and shows how every score came about.")
    add_query(own)
    add_json(own)
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.faces.cli.show import show_explained

    answer = answered(given)
    if given.json:
        print(json.dumps(answer.as_dict(), ensure_ascii=False))
    else:
        show_explained(answer)
    return Exit.OK if answer.results else Exit.NOTHING_FOUND
