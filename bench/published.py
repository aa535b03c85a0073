"""Why two collections come out otherwise than elsewhere: their judgments and BM25's b.

    python -m bench.published cranfield|locomo [--model minilm] [--forms]

Cranfield (expected elsewhere: words .524, MiniLM .506, RRF .565) under four readings of its
judgments; the file at hand has one line a question whose code was -1 and is now 0. LoCoMo (MTEB: BM25
.422, MiniLM .259, the mean over categories) under two values of b and two sets of judgments; with
--forms also with its messages written out otherwise, which embeds all of them again. The collection
is found where RECOLLECT_DATA says.
"""

import argparse
import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final

from bench.words import USED, Words
from recollect.evaluate.collections import Collection, fingerprint_of, read_collection
from recollect.evaluate.indexing import indexed
from recollect.evaluate.measures import MAIN, by_stratum, mean, measured
from recollect.evaluate.remembering import remembering
from recollect.evaluate.replay import ask_legs, replayed
from recollect.evaluate.runs import Run
from recollect.evaluate.sweep import DEPTH, MEANING, USUAL, WORDS, Setting
from recollect.model.note import Note

BEST: Final = 5
READINGS: Final[Mapping[str, Callable[[int], int]]] = {
    "as they are": lambda grade: grade,
    "all grades alike": lambda grade: int(grade > 0),
    "every judged line relevant": lambda _: 1,
    "the code -1 as the best grade": lambda grade: grade or BEST,
}


def runs(collection: Collection, model: str, settings: tuple[Setting, ...]) -> list[Run]:
    with indexed(collection, model) as library, remembering(collection, library):
        asked, ports = ask_legs(collection, library), library.ports()
        return [replayed(asked, one.recipe(), ports, DEPTH) for one in settings]


def cranfield(model: str) -> None:
    collection = read_collection("cranfield")
    found = runs(collection, model, (WORDS, MEANING, USUAL))
    print(f"{'nDCG@10':34}{'words':>8}{'meaning':>9}{'rrf k=60':>10}")
    for name, reading in READINGS.items():
        judgments = {
            question: {note: reading(grade) for note, grade in own.items()}
            for question, own in collection.judgments.items()
        }
        values = [mean(measured(one, judgments, [MAIN])[MAIN].values()) for one in found]
        print(f"{name:34}{values[0]:>8.4f}{values[1]:>9.4f}{values[2]:>10.4f}")


def _as_locomo_dates(moment: datetime) -> str:
    """1:56 pm on 8 May, 2023"""
    half = f"{moment:%p}".lower()
    return f"{moment:%I:%M}".lstrip("0") + f" {half} on {moment.day} {moment:%B, %Y}"


FORMS: Final[Mapping[str, Callable[[Note], str]]] = {
    "meaning, without speakers": lambda note: re.sub(r"^[^:]{1,40}: ", "", note.text),
    "meaning, date first": lambda note: f"{_as_locomo_dates(note.created_at)} {note.text}",
}


def locomo_forms(model: str) -> None:
    collection = read_collection("locomo")
    for name, form in FORMS.items():
        notes = tuple(replace(note, text=form(note)) for note in collection.notes)
        written = replace(collection, notes=notes, fingerprint=fingerprint_of(notes))
        [run] = runs(written, model, (MEANING,))
        values = measured(run, collection.judgments, [MAIN])[MAIN]
        tell(name, collection, values, "test")


def locomo(model: str) -> None:
    print(f"{'nDCG@10, mean over categories':34}{'judgments':>18}{'all':>8}{'without 5':>11}")
    [meaning] = runs(read_collection("locomo"), model, (MEANING,))
    for name in ("test", "test_corrected"):
        collection = read_collection("locomo", name)
        with tempfile.TemporaryDirectory() as place:
            words = Words(collection, Path(place))
            for b in (0.75, 0.4):
                tell(f"words, b = {b:g}", collection, words.values(replace(USED, b=b)), name)
        values = measured(meaning, collection.judgments, [MAIN])[MAIN]
        tell("meaning", collection, values, name)


def tell(what: str, collection: Collection, values: Mapping[str, float], judgments: str) -> None:
    by = by_stratum(values, collection.strata())
    without = mean(value for stratum, value in by.items() if stratum != "5")
    print(f"{what:34}{judgments:>18}{mean(by.values()):>8.4f}{without:>11.4f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("collection", choices=("cranfield", "locomo"))
    parser.add_argument("--model", default="minilm")
    parser.add_argument("--forms", action="store_true")
    given = parser.parse_args()
    (cranfield if given.collection == "cranfield" else locomo)(given.model)
    if given.forms:
        locomo_forms(given.model)


if __name__ == "__main__":
    main()
