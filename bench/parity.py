"""The same collections and questions on every store: are the answers the same?

    python -m bench.parity FOLDER [--only adi,cacm] [--questions 300] [--model static]

Each collection of the folder is indexed into SQLite and copied from there, vectors and all, into
Postgres without and with a BM25 index, and into both with their vectors in Qdrant (its local mode).
`dense` is how many questions get the same hundred passages in the same order by meaning, all vectors
compared exactly; `words` and `both` are nDCG@10 by words alone and by words and meaning, with the
difference to SQLite; `same` is how much of the best ten by words is the same.
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from tests.stores.postgres.server import PLAIN, WITH_BM25, running

from recollect.encoders import choose
from recollect.evaluate.collections import Collection, read_collection
from recollect.evaluate.indexing import indexed
from recollect.evaluate.measures import MAIN
from recollect.evaluate.run import Outcome, evaluate
from recollect.open import Library
from recollect.ports import Embedder, Place, Vector
from recollect.recipes.shelf import recipe_named
from recollect.stores.postgres import postgres_store
from recollect.stores.qdrant import with_qdrant
from recollect.stores.sqlite import sqlite_store

DEPTH = 100
STORES = ("sqlite", "postgres", "postgres+bm25", "sqlite+qdrant", "postgres+qdrant")


@dataclass(frozen=True)
class Seen:
    """What a store answers: by meaning, passage by passage, and by words and both, as measured."""

    dense: list[list[str | None]]
    scores: list[list[float]]
    words: Outcome
    both: Outcome


def main() -> None:
    options = _options()
    names = options.only.split(",") if options.only else _collections(options.data)
    print("| collection | questions | store | dense | words | | same | both | |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in names:
        collection = _some(read_collection(options.data / name), options.questions)
        seen = _everywhere(collection, choose.embedder(options.model), options.model)
        for store, own in seen.items():
            print(_row(collection, store, own, seen["sqlite"]), flush=True)


def _options() -> argparse.Namespace:
    known = argparse.ArgumentParser(prog="python -m bench.parity", description=__doc__)
    known.add_argument("data", type=Path, help="a folder of collections in BEIR layout")
    known.add_argument("--only", help="names of collections; else all there are")
    known.add_argument("--questions", type=int, default=300, help="of each collection")
    known.add_argument("--model", default="static")
    return known.parse_args()


def _collections(data: Path) -> list[str]:
    return sorted(found.parent.parent.name for found in data.glob("*/qrels/test.tsv"))


def _some(collection: Collection, count: int) -> Collection:
    """The first so many in an order that is always the same and has nothing to do with the answers."""
    order = np.random.default_rng(7).permutation(len(collection.questions))[:count]
    questions = tuple(collection.questions[at] for at in sorted(order))
    asked = {one.id for one in questions}
    judged = {key: own for key, own in collection.judgments.items() if key in asked}
    return replace(collection, questions=questions, judgments=judged)


def _everywhere(collection: Collection, embedder: Embedder, model: str) -> dict[str, Seen]:
    vectors = [embedder.embed([question.text])[0] for question in collection.questions]
    with indexed(collection, model) as source:
        return {store: _in(store, source, collection, embedder, vectors) for store in STORES}


def _in(
    store: str,
    source: Library,
    collection: Collection,
    embedder: Embedder,
    vectors: Sequence[Vector],
) -> Seen:
    with _opened(store) as place:
        place.store.archive.take(source.store.archive.records())
        place.publish()
        library = Library(place, embedder)
        dense, scores = _dense(library, collection, vectors)
        plain = recipe_named("plain")
        return Seen(
            dense,
            scores,
            evaluate(collection, library, plain, mode="bm25"),
            evaluate(collection, library, plain),
        )


@contextmanager
def _opened(store: str) -> Iterator[Place]:
    """An empty store of this kind, and nothing of it left afterwards."""
    rows, _, vectors = store.partition("+")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if rows == "sqlite":
            place: Place = sqlite_store(folder / "store.db")
        else:
            server = running(WITH_BM25 if vectors == "bm25" else PLAIN)
            place = postgres_store(stack.enter_context(server).address)
        if vectors == "qdrant":
            place = with_qdrant(place, str(folder / "qdrant"))
        stack.callback(place.close)
        yield place


def _dense(
    library: Library, collection: Collection, vectors: Sequence[Vector]
) -> tuple[list[list[str | None]], list[list[float]]]:
    found = library.store.vectors
    assert found is not None
    assert library.embedder is not None
    hits = [
        found.nearest(library.embedder.identity, vector, question.scope(), DEPTH)
        for question, vector in zip(collection.questions, vectors, strict=True)
    ]
    return [[hit.passage_id for hit in own] for own in hits], [
        [hit.score for hit in own] for own in hits
    ]


def _row(collection: Collection, store: str, own: Seen, first: Seen) -> str:
    same = sum(one == other for one, other in zip(own.dense, first.dense, strict=True))
    words, both = (outcome.overall()[MAIN] for outcome in (own.words, own.both))
    by_words, by_both = (outcome.overall()[MAIN] for outcome in (first.words, first.both))
    return (
        f"| {collection.name} | {len(own.dense)} | {store} | {same} "
        f"| {words:.4f} | {words - by_words:+.4f} | {_overlap(own.words, first.words):.3f} "
        f"| {both:.4f} | {both - by_both:+.4f} |"
    )


def _overlap(one: Outcome, other: Outcome) -> float:
    shares = []
    for question, found in other.run.answers.items():
        best = {each.note_id for each in found[:10]}
        also = {each.note_id for each in one.run.answers[question][:10]}
        shares.append(len(best & also) / len(best) if best else float(not also))
    return float(np.mean(shares))


if __name__ == "__main__":
    main()
