"""How strong backlinks and age may be: a vault's own labels, under several strengths.

    python -m bench.boosts --store FILE SPACE … [--model minilm]

SPACE is an indexed folder of notes. Both legs are asked once; then fusion, the weight of a backlink
and the tiers of age vary. Prints MRR on each half of each space's labels (the choosing one first),
against the legacy formula: a star is better by an interval that excludes zero, a minus worse.
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from recollect.evaluate.ablate import variants
from recollect.evaluate.compare import compared
from recollect.evaluate.indexing import indexed
from recollect.evaluate.labels import labelled
from recollect.evaluate.measures import Values, measure_named, measured
from recollect.evaluate.remembering import remembering
from recollect.evaluate.replay import ask_legs, replayed
from recollect.evaluate.sweep import first_half
from recollect.open import open_library
from recollect.recipes.recipe import Recipe
from recollect.recipes.shelf import VAULT
from recollect.retrieve.adjust import AgeTiers, Backlinks
from recollect.retrieve.fuse import RRF, Distribution

MRR: Final = measure_named("RR")
DEPTH: Final = 100
TIERS: Final = {
    "no age": AgeTiers(enabled=False),
    "age/4": AgeTiers(fresh=1.05, recent=1.025, older=0.9875),
    "age": AgeTiers(),
}


def settings() -> Iterator[Recipe]:
    yield next(iter(variants(VAULT)))  # the legacy formula
    for fusion in (RRF(), Distribution()):
        for weight in (0.0, 0.01, 0.02, 0.05, 0.1):
            for age, tiers in TIERS.items():
                yield replace(
                    VAULT,
                    name=f"{fusion.method}, backlinks {weight:g}, {age}",
                    fusion=fusion,
                    adjustments=(Backlinks(weight=weight), tiers),
                )


def values(space: str, store: str, model: str) -> tuple[dict[str, Values], frozenset[str]]:
    with open_library(store, model=None, create=False) as own:
        collection = labelled(space, own)
    with indexed(collection, model) as library, remembering(collection, library):
        asked, ports = ask_legs(collection, library, VAULT), library.ports()
        found = {
            one.name: measured(replayed(asked, one, ports, DEPTH), collection.judgments, [MRR])[MRR]
            for one in settings()
        }
    return found, first_half(one.id for one in collection.questions)


def cells(found: dict[str, Values], name: str, choosing: frozenset[str]) -> Iterator[str]:
    legacy = next(iter(found.values()))
    for wanted in (True, False):
        half = [key for key in legacy if (key in choosing) == wanted]
        line = compared(
            {key: legacy[key] for key in half},
            {key: found[name][key] for key in half},
            samples=2000,
        )
        mark = "*" if line.is_better else "-" if line.is_worse else " "
        yield f"{line.after:>13.4f}{mark}{f'{line.won}/{line.lost}':>10}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("space", nargs="+")
    parser.add_argument("--store", required=True)
    parser.add_argument("--model", default="minilm")
    given = parser.parse_args()
    by_space = {space: values(space, given.store, given.model) for space in given.space}
    print(f"{'MRR (won/lost against the first)':38}" + "".join(f"{one:>48}" for one in by_space))
    for recipe in settings():
        row = (
            cell
            for found, choosing in by_space.values()
            for cell in cells(found, recipe.name, choosing)
        )
        print(f"{recipe.name:38}" + "".join(row), flush=True)


if __name__ == "__main__":
    main()
