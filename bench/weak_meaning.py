"""What to do with a weak meaning leg: words alone beside fusions, with the static model.

    python -m bench.weak_meaning DATA [--model static] [--collections cranfield,locomo]

DATA is a folder of collections in BEIR layout. Prints nDCG@10 of words alone, meaning alone, RRF
with falling weights of meaning, and convex combination with falling alphas, on every collection;
100 candidates a leg. Rows marked with a star are not below words alone.
"""

import argparse
import gzip
import json
import math
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from recollect.encoders import choose
from recollect.model.ranking import Hit, Ranking
from recollect.retrieve.fuse import RRF, Convex, Distribution, Fusion, fuse
from recollect.retrieve.rank import ranking
from recollect.retrieve.words import single_characters, stem, tokens
from recollect.stores.fields import FIELD_WEIGHTS
from recollect.stores.sqlite.impact import ImpactIndex

DEPTH = 100
SYSTEMS: Mapping[str, tuple[Fusion, float, float]] = {
    "words": (RRF(), 1.0, 0.0),
    "meaning": (RRF(), 0.0, 1.0),
    "rrf 1.0": (RRF(), 1.0, 1.0),
    "rrf 0.1": (RRF(), 1.0, 0.1),
    "rrf d. 0.01": (RRF(ranks="dense"), 1.0, 0.01),
    "convex 0.3": (Convex(0.3), 1.0, 1.0),
    "convex 0.2": (Convex(0.2), 1.0, 1.0),
    "convex 0.1": (Convex(0.1), 1.0, 1.0),
    "distrib. 1.0": (Distribution(), 1.0, 1.0),
    "distrib. 0.3": (Distribution(), 1.0, 0.3),
    "distrib. 0.25": (Distribution(), 1.0, 0.25),
    "distrib. 0.2": (Distribution(), 1.0, 0.2),
    "distrib. 0.15": (Distribution(), 1.0, 0.15),
}


class Question(NamedTuple):
    text: str
    scope: str | None
    gains: Mapping[str, float]


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    raw = path.read_bytes()
    text = gzip.decompress(raw) if path.suffix == ".gz" else raw
    yield from (json.loads(line) for line in text.decode().split("\n") if line)


def questions_of(folder: Path) -> list[Question]:
    gains: dict[str, dict[str, float]] = defaultdict(dict)
    with (folder / "qrels" / "test.tsv").open() as lines:
        next(lines)
        for line in lines:
            query, document, gain = line.rstrip("\n").split("\t")
            gains[query][document] = float(gain)
    return [
        Question(row["text"], row.get("conv"), gains[row["_id"]])
        for row in rows_of(folder / "queries.jsonl")
        if any(gain > 0 for gain in gains[row["_id"]].values())
    ]


def terms_of(text: str, title: str) -> Counter[str]:
    counted: Counter[str] = Counter()
    for field, own in (("title", title), ("text", text)):
        for token in (*map(stem, tokens(own)), *single_characters(own)):
            counted[token] += FIELD_WEIGHTS[field]  # type: ignore[assignment]
    return counted


def ndcg(order: list[str], gains: Mapping[str, float], depth: int = 10) -> float:
    def total(values: list[float]) -> float:
        return sum(gain / math.log2(place + 2) for place, gain in enumerate(values[:depth]))

    ideal = total(sorted(gains.values(), reverse=True))
    return total([gains.get(one, 0.0) for one in order]) / ideal if ideal else 0.0


def lists_of(folder: Path, model: str) -> Iterator[tuple[Question, Ranking, Ranking]]:
    corpus = list(rows_of(folder / "corpus.jsonl.gz"))
    ids = [row["_id"] for row in corpus]
    scopes = np.array([row.get("conv") or "" for row in corpus])
    embedder = choose.embedder(model)
    matrix = embedder.embed([f"{row.get('title', '')}\n{row['text']}".strip() for row in corpus])
    questions = questions_of(folder)
    vectors = embedder.embed([question.text for question in questions])
    with tempfile.TemporaryDirectory() as place:
        index = ImpactIndex.open(Path(place), "bench")
        counted = [terms_of(row["text"], row.get("title", "")) for row in corpus]
        index.add(range(len(ids)), counted, [sum(one.values()) for one in counted])
        for question, vector in zip(questions, vectors, strict=True):
            allowed = None if question.scope is None else np.flatnonzero(scopes == question.scope)
            terms = dict.fromkeys(map(stem, tokens(question.text)), 1.0)
            rows, scores = index.search(terms, DEPTH, allowed)
            words = [Hit(ids[row], float(s)) for row, s in zip(rows, scores, strict=True)]
            inside = np.arange(len(ids)) if allowed is None else allowed
            cosines = matrix[inside] @ vector
            best = np.argsort(-cosines, kind="stable")[:DEPTH]
            meaning = [Hit(ids[inside[at]], float(cosines[at])) for at in best]
            yield (
                question,
                ranking("words", 1.0, words, 0.0),
                ranking("meaning", 1.0, meaning, -1.0),
            )


def measured(folder: Path, model: str) -> dict[str, float]:
    gained: dict[str, list[float]] = {name: [] for name in SYSTEMS}
    for question, words, meaning in lists_of(folder, model):
        for name, (fusion, words_weight, meaning_weight) in SYSTEMS.items():
            legs = [
                Ranking(leg.leg, weight, leg.hits, leg.floor)
                for leg, weight in ((words, words_weight), (meaning, meaning_weight))
            ]
            scores = fuse(fusion, legs).scores
            order = sorted(scores, key=lambda one: (-scores[one], one))
            gained[name].append(ndcg(order, question.gains))
    return {name: float(np.mean(values)) for name, values in gained.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--model", default="static")
    parser.add_argument("--collections", default="")
    given = parser.parse_args()
    chosen = [name for name in given.collections.split(",") if name]
    folders = [
        path.parent
        for path in sorted(given.data.glob("*/corpus.jsonl.gz"))
        if not chosen or path.parent.name in chosen
    ]
    print(f"nDCG@10, {DEPTH} candidates a leg, model {given.model}")
    print(f"{'':30}" + "".join(f"{name:>14}" for name in SYSTEMS))
    for folder in folders:
        found = measured(folder, given.model)
        cells = [f"{v:.3f}{'*' if v >= found['words'] else ' '}" for v in found.values()]
        print(f"{folder.name:30}" + "".join(f"{cell:>14}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
