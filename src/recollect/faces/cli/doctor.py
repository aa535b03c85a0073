"""`recollect doctor`: whether the file and everything derived from it is sound."""

import argparse
import json
from dataclasses import asdict

from recollect.faces.cli.arguments import add_json, command
from recollect.faces.cli.commands import Exit

SIGNS = {"ok": "✓", "warn": "!", "error": "✗"}
STYLES = {"ok": "green", "warn": "yellow", "error": "match"}


def parser() -> argparse.ArgumentParser:
    own = command("doctor", "Checks the store and its indexes. Changes nothing without --repair.")
    own.add_argument("--thorough", action="store_true", help="read every page and every word")
    own.add_argument("--repair", action="store_true", help="derive again what is derived")
    add_json(own)
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.faces.cli.paint import paint
    from recollect.open import open_library

    with open_library(given.store, vectors=given.vectors, model=None, create=False) as library:
        if given.repair:
            library.place.upkeep.repair()
        findings = library.place.upkeep.examine(thorough=given.thorough)
    if given.json:
        print(json.dumps([asdict(finding) for finding in findings]))
    else:
        for finding in findings:
            way_out = f" → {finding.way_out}" if finding.way_out else ""
            print(f"{paint(SIGNS[finding.level], STYLES[finding.level])} {finding.what}{way_out}")
    broken = any(finding.level == "error" for finding in findings)
    return Exit.FAILED if broken else Exit.OK
