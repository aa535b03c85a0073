"""How long a passage should be: a vault cut at several sizes, asked for its own labels.

    python -m bench.passages FOLDER … [--model static] [--pieces 112,224,448]

Labels are made from what the notes say. Prints nDCG@10 of words alone, meaning alone and both by
RRF k=60 and by distribution, for each size in word pieces; a star is better than the size in use by
an interval that excludes zero, a minus worse. Over all labels: nothing is chosen.
"""

import argparse
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from bench.words import vault_collection
from recollect.evaluate.collections import Collection
from recollect.evaluate.compare import compared
from recollect.evaluate.indexing import indexed
from recollect.evaluate.measures import MAIN, Values, measured
from recollect.evaluate.remembering import remembering
from recollect.evaluate.replay import ask_legs, replayed
from recollect.evaluate.sweep import DEPTH, MEANING, USUAL, WORDS, Setting
from recollect.ingest.chunk import OVERLAP, PIECES, Sizes, passages_of
from recollect.ingest.markdown import markdown_page
from recollect.retrieve.fuse import Distribution

WAYS: Final[Mapping[str, Setting]] = {
    "words": WORDS,
    "meaning": MEANING,
    "rrf k=60": USUAL,
    "distribution": Setting(Distribution()),
}


def recut(collection: Collection, pieces: int) -> Collection:
    """The overlap stays the same share of a passage."""
    sizes = Sizes(pieces, OVERLAP * pieces // PIECES)
    return replace(
        collection,
        fingerprint=f"{collection.fingerprint}-{pieces}",
        passages={
            note.id: passages_of(note.id, markdown_page("note.md", note.text), sizes)
            for note in collection.notes
        },
    )


def values(collection: Collection, model: str, place: Path) -> dict[str, Values]:
    with indexed(collection, model, cache=place) as library, remembering(collection, library):
        asked, ports = ask_legs(collection, library), library.ports()
        return {
            name: measured(
                replayed(asked, way.recipe(), ports, DEPTH), collection.judgments, [MAIN]
            )[MAIN]
            for name, way in WAYS.items()
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="+")
    parser.add_argument("--model", default="static")
    parser.add_argument("--pieces", default="112,224,448")
    given = parser.parse_args()
    sizes = sorted({PIECES, *map(int, given.pieces.split(","))})
    print(f"nDCG@10 of {given.model}\n{'':38}{'passages':>10}" + "".join(f"{w:>14}" for w in WAYS))
    for folder in given.folder:
        collection = vault_collection(folder)
        cut = {pieces: recut(collection, pieces) for pieces in sizes}
        with tempfile.TemporaryDirectory() as place:
            by = {pieces: values(own, given.model, Path(place)) for pieces, own in cut.items()}
        for pieces, own in by.items():
            cells = []
            for way in WAYS:
                found = compared(by[PIECES][way], own[way], samples=2000)
                mark = "*" if found.is_better else "-" if found.is_worse else " "
                cells.append(f"{found.after:>13.4f}{mark}")
            passages = sum(map(len, cut[pieces].passages.values()))
            name = f"{collection.name} ({len(collection.questions)}), {pieces}"
            print(f"{name:38}{passages:>10}" + "".join(cells), flush=True)


if __name__ == "__main__":
    main()
