"""How deep each leg should look: both legs asked once, cut at several depths, fused.

    python -m bench.depth DATA [--model minilm] [--collections cranfield,locomo]

Prints nDCG@10 and R@100 of words and meaning by RRF k=60 and by distribution-based fusion, for each
number of candidates a leg; a star is better than the depth that recipes use, by an interval that
excludes zero, a minus worse. Over all questions: nothing is chosen per collection.
"""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Final

from recollect.evaluate.collections import Collection, collections_in, read_collection
from recollect.evaluate.compare import compared
from recollect.evaluate.indexing import indexed
from recollect.evaluate.measures import MAIN, Values, mean, measure_named, measured
from recollect.evaluate.remembering import remembering
from recollect.evaluate.replay import Asked, ask_legs, replayed
from recollect.open import Library
from recollect.ports import Ports
from recollect.recipes.alternatives import PLAIN
from recollect.recipes.recipe import AnyFusion, ByMeaning, ByWords, Recipe
from recollect.retrieve.fuse import RRF, Distribution

DEPTHS: Final = (10, 20, 50, 100, 200, 500)
USED: Final = 100
RECALL: Final = measure_named("R@100")
FUSIONS: Final[dict[str, AnyFusion]] = {"rrf k=60": RRF(), "distribution": Distribution()}
DEEP: Final = replace(PLAIN, legs=(ByWords(syntax="plain", depth=500), ByMeaning(depth=500)))


def cut(asked: Asked, depth: int) -> Asked:
    own = asked.candidates
    shorter = tuple(replace(one, hits=one.hits[:depth]) for one in own.rankings)
    return replace(asked, candidates=replace(own, rankings=shorter))


def values(
    asked: list[Asked], recipe: Recipe, depth: int, collection: Collection, ports: Ports
) -> dict[str, Values]:
    run = replayed([cut(one, depth) for one in asked], recipe, ports, 100)
    found = measured(run, collection.judgments, [MAIN, RECALL])
    return {str(measure): own for measure, own in found.items()}


def tell(collection: Collection, library: Library) -> dict[tuple[str, str, int], float]:
    """Its lines, and the means for the last ones."""
    asked, ports = ask_legs(collection, library, DEEP), library.ports()
    means = {}
    for name, fusion in FUSIONS.items():
        recipe = replace(DEEP, fusion=fusion)
        by_depth = {n: values(asked, recipe, n, collection, ports) for n in DEPTHS}
        for measure in (str(MAIN), str(RECALL)):
            cells = []
            for depth, own in by_depth.items():
                found = compared(by_depth[USED][measure], own[measure], samples=2000)
                mark = "*" if found.is_better else "-" if found.is_worse else " "
                cells.append(f"{found.after:>9.4f}{mark}")
                means[name, measure, depth] = found.after
            print(f"{collection.name:28}{name:14}{measure:9}" + "".join(cells), flush=True)
    return means


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--model", default="minilm")
    parser.add_argument("--collections", default="")
    given = parser.parse_args()
    wanted = given.collections.split(",") if given.collections else None
    folders = [one for one in collections_in(given.data) if wanted is None or one.name in wanted]
    print(f"{'':51}" + "".join(f"{depth:>9} " for depth in DEPTHS))
    told = []
    for folder in folders:
        collection = read_collection(folder)
        with indexed(collection, given.model) as library, remembering(collection, library):
            told.append(tell(collection, library))
    for name, measure, _ in dict.fromkeys((n, m, 0) for n, m, _ in told[0]):
        cells = (mean(one[name, measure, depth] for one in told) for depth in DEPTHS)
        print(f"{'mean':28}{name:14}{measure:9}" + "".join(f"{value:>9.4f} " for value in cells))


if __name__ == "__main__":
    main()
