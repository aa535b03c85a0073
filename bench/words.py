"""What the words leg should count: stems, fields, k1 and b, words said twice.

    python -m bench.words DATA [--collections cranfield,locomo] [--vault FOLDER …] [--axis stemmer]

DATA is a folder of collections in BEIR layout; a vault is a folder of notes, whose labels are made
from what its notes say. One thing at a time is changed from what the stores use. The change is
chosen by the mean over all collections on one half of their questions, and what it comes to on the
other half is printed: nDCG@10 of words alone, a star where it is better than what the stores use by
an interval that excludes zero, a minus where it is worse.
"""

import argparse
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from recollect.engine.learn import document_of
from recollect.evaluate.collections import Collection, Question, collections_in, read_collection
from recollect.evaluate.compare import compared
from recollect.evaluate.labels import labelled
from recollect.evaluate.measures import MAIN, Values, mean, measured
from recollect.evaluate.runs import Found, Run
from recollect.evaluate.sweep import first_half
from recollect.open import open_library
from recollect.retrieve.words import stem, tokens
from recollect.stores.fields import BM25_B, BM25_K1, FIELD_WEIGHTS
from recollect.stores.sqlite.impact import ImpactIndex
from recollect.stores.sqlite.terms import Field, WordRow, word_rows

DEPTH: Final = 10
FEW: Final = 6
STEMMERS: Final[Mapping[str, Callable[[str], str]]] = {"english": stem, "none": str}


class Counted(NamedTuple):
    """One field of a passage: its terms, and how many words it has."""

    terms: Counter[str]
    length: int


@dataclass(frozen=True)
class Way:
    """One way of counting words."""

    stemmer: str = "english"
    fields: tuple[tuple[str, float], ...] = tuple(FIELD_WEIGHTS.items())
    k1: float = BM25_K1
    b: float = BM25_B
    repeats: bool = False
    """Whether a word that a question says twice counts twice."""

    def weighing(self, **weights: float) -> "Way":
        return replace(self, fields=tuple({**dict(self.fields), **weights}.items()))

    def weigh(self, passage: Mapping[str, Counted]) -> tuple[dict[str, float], float]:
        """Each place counts as much as its field."""
        terms: dict[str, float] = {}
        for name, weight in self.fields:
            for term, count in passage[name].terms.items() if weight else ():
                terms[term] = terms.get(term, 0.0) + weight * count
        return terms, sum(weight * passage[name].length for name, weight in self.fields)


USED: Final = Way()
AXES: Final[Mapping[str, Mapping[str, Way]]] = {
    "stemmer": {"none": replace(USED, stemmer="none")},
    "title": {f"{weight:g}": USED.weighing(title=weight) for weight in (1.0, 3.0, 5.0)},
    "path": {f"{weight:g}": USED.weighing(path=weight) for weight in (0.0, 1.0, 2.0)},
    "tag": {f"{weight:g}": USED.weighing(tag=weight) for weight in (0.0, 2.0, 3.0)},
    "title/path": {
        f"{title:g}/{path:g}": USED.weighing(title=title, path=path)
        for title in (2.0, 3.0, 5.0)
        for path in (0.5, 1.0, 2.0)
    },
    "b": {f"{b:g}": replace(USED, b=b) for b in (0.4, 0.6, 0.9)},
    "k1": {f"{k1:g}": replace(USED, k1=k1) for k1 in (0.9, 1.5, 2.0)},
    "repeats": {"counted": replace(USED, repeats=True)},
}


class Words:
    """The words of a collection, taken apart once and counted in every way."""

    def __init__(self, collection: Collection, place: Path) -> None:
        self.collection = collection
        self._place = place
        self._notes: list[str] = []
        self._rows: list[WordRow] = []
        for note in collection.notes:
            rows = word_rows(document_of(note, collection.passages.get(note.id, ())))
            self._rows += rows
            self._notes += [note.id] * len(rows)
        projects = {note.id: note.project or "" for note in collection.notes}
        self._projects = np.array([projects[note_id] for note_id in self._notes])
        self._counted: dict[str, list[Mapping[str, Counted]]] = {}
        self._known: dict[Way, Values] = {}

    def values(self, way: Way) -> Values:
        """A field that no passage has makes no difference, and is not measured again."""
        alike = way.weighing(**{name: 0.0 for name in FIELD_WEIGHTS if not self._has(name)})
        if alike not in self._known:
            self._known[alike] = self._measured(alike)
        return self._known[alike]

    def _measured(self, way: Way) -> Values:
        index = self._index(way)
        answers = {
            question.id: tuple(self._best(question, index, way))
            for question in self.collection.questions
        }
        return measured(Run("words", answers), self.collection.judgments, [MAIN])[MAIN]

    def _has(self, name: str) -> bool:
        return any(getattr(row, name) for row in self._rows)

    def _index(self, way: Way) -> ImpactIndex:
        """One for each way of counting; k1 and b are a matter of searching."""
        counting = f"{way.stemmer}-{way.fields}"
        folder = self._place / self.collection.name / counting
        index = ImpactIndex.open(folder, counting, way.k1, way.b)
        if not len(index):
            terms, lengths = zip(*map(way.weigh, self._counts(way.stemmer)), strict=True)
            index.add(range(len(terms)), terms, lengths)
            index.publish()
        return index

    def _counts(self, stemmer: str) -> list[Mapping[str, Counted]]:
        if stemmer not in self._counted:
            stemmed = STEMMERS[stemmer]
            self._counted[stemmer] = [
                {name: _count(row.field(name), stemmed) for name in FIELD_WEIGHTS}
                for row in self._rows
            ]
        return self._counted[stemmer]

    def _best(self, question: Question, index: ImpactIndex, way: Way) -> Iterator[Found]:
        said = tokens(question.text)
        terms = Counter(map(STEMMERS[way.stemmer], said if way.repeats else dict.fromkeys(said)))
        allowed = None
        if question.conversation is not None:
            allowed = np.flatnonzero(self._projects == question.conversation)
        rows, scores = index.search(terms, DEPTH * 10, allowed)
        found: dict[str, float] = {}
        for row, score in zip(rows, scores, strict=True):
            note = self._notes[row]
            if note not in question.hidden:
                found.setdefault(note, float(score))
        yield from (Found(note, score) for note, score in list(found.items())[:DEPTH])


def _count(own: Field, stemmed: Callable[[str], str]) -> Counted:
    words = own.words()
    return Counted(Counter((*map(stemmed, words), *own.singles())), len(words))


def vault_collection(folder: Path) -> Collection:
    with (
        tempfile.TemporaryDirectory() as place,
        open_library(Path(place, "vault.db"), model=None) as library,
    ):
        library.index_folder(folder, folder.name)
        return labelled(folder.name, library)


def halves(values: Values, chosen_on: frozenset[str]) -> tuple[Values, Values]:
    choosing = {key: value for key, value in values.items() if key in chosen_on}
    return choosing, {key: value for key, value in values.items() if key not in chosen_on}


def marked(used: Values, own: Values) -> str:
    found = compared(used, own, samples=2000)
    return f"{found.after:.4f}" + ("*" if found.is_better else "-" if found.is_worse else " ")


def row(name: str, ways: Sequence[Values]) -> str:
    """The first is what the others are marked against."""
    cells = (f"{marked(ways[0], own):>12}" for own in ways)
    return f"{name:30}{len(ways[0]):>10}" + "".join(cells)


def languages(collection: Collection, ways: Sequence[Values]) -> Iterator[str]:
    """Of a collection with a few scopes, each by itself: the languages of xquad, for instance."""
    scopes = {one.id: one.conversation for one in collection.questions}
    names = sorted({scope for scope in scopes.values() if scope is not None})
    for name in names if len(names) <= FEW else ():
        yield row(
            f"  {name}", [{k: v for k, v in own.items() if scopes[k] == name} for own in ways]
        )


def tell(axis: str, by_way: Mapping[str, Sequence[Values]], words: Sequence[Words]) -> None:
    ways = list(by_way)
    split = [first_half(one.id for one in each.collection.questions) for each in words]
    cut = {
        way: [halves(*pair) for pair in zip(own, split, strict=True)] for way, own in by_way.items()
    }
    print(
        f"\n{axis}, nDCG@10 held out\n{'':30}{'questions':>10}" + "".join(f"{w:>12}" for w in ways)
    )
    for at, each in enumerate(words):
        held_out = [cut[way][at][1] for way in ways]
        print(row(each.collection.name, held_out))
        for line in languages(each.collection, held_out):
            print(line)
    for name, half in (("mean, choosing half", 0), ("mean, held out", 1)):
        means = [mean(mean(one[half].values()) for one in cut[way]) for way in ways]
        print(f"{name:40}" + "".join(f"{value:>11.4f} " for value in means))
    best = max(ways, key=lambda way: mean(mean(one[0].values()) for one in cut[way]))
    print(f"chosen: {best}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--collections", default="")
    parser.add_argument("--vault", type=Path, action="append", default=[])
    parser.add_argument("--axis", action="append", choices=tuple(AXES))
    given = parser.parse_args()
    wanted = given.collections.split(",") if given.collections else None
    folders = [one for one in collections_in(given.data) if wanted is None or one.name in wanted]
    with tempfile.TemporaryDirectory() as place:
        collections = [*map(read_collection, folders), *map(vault_collection, given.vault)]
        words = [Words(one, Path(place)) for one in collections]
        for axis in given.axis or AXES:
            ways = {"used": USED, **AXES[axis]}
            by_way = {name: [each.values(way) for each in words] for name, way in ways.items()}
            tell(axis, by_way, words)


if __name__ == "__main__":
    main()
