"""`recollect token`: tokens for the service, shown once and kept as digests."""

import argparse

from recollect.faces.cli.arguments import command
from recollect.faces.cli.commands import Exit


def parser() -> argparse.ArgumentParser:
    own = command("token", "Makes a token for the service, lists them, or revokes one.")
    own.add_argument("name", nargs="?", help="what the token is called; left out: list them")
    own.add_argument("--space", action="append", metavar="NAME", help="what it may see (all)")
    own.add_argument("--revoke", action="store_true", help="it is worth nothing from then on")
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.faces.http.tokens import make_token, revoke_token, tokens
    from recollect.open import open_library

    with open_library(given.store, vectors=given.vectors, model=None) as library:
        settings = library.store.settings
        if given.name is None:
            for name, spaces in tokens(settings).items():
                print(f"{name}  {'every space' if spaces is None else ', '.join(sorted(spaces))}")
        elif given.revoke:
            revoke_token(settings, given.name)
            print(f"revoked {given.name}")
        else:
            print(make_token(settings, given.name, given.space))
    return Exit.OK
