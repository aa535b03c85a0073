"""Every local embedder: how fast it loads and embeds, and how well it finds by itself.

    python -m bench.encoders --data /path/to/collections [cranfield scifact-train locomo]
    python -m bench.encoders --load minilm      one model in a fresh process: seconds to its first vector

Collections are in BEIR layout (corpus.jsonl.gz, queries.jsonl, qrels/test.tsv). Where queries and
documents name a `conv`, a query sees its own conversation only. nDCG has linear gains. With
--rerank, another row shows minilm's first 20 reranked by late interaction.
"""

import argparse
import gzip
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from math import log2
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.encoders.choose import embedder, judge

MODELS = ("hashing", "static", "minilm", "minilm-int8")
HEAD = 20
DEPTH = 10


class Collection(NamedTuple):
    name: str
    documents: list[dict[str, Any]]
    queries: list[dict[str, Any]]
    relevant: dict[str, dict[str, int]]


def read(folder: Path, most: int) -> Collection:
    relevant: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels" / "test.tsv").read_text().splitlines()[1:]:
        query, document, grade = line.split("\t")
        relevant.setdefault(query, {})[document] = int(grade)
    answerable = [
        query
        for query in map(json.loads, (folder / "queries.jsonl").read_text().splitlines())
        if any(grade > 0 for grade in relevant.get(query["_id"], {}).values())
    ]
    queries = answerable[:: max(1, len(answerable) // most)][:most]
    seen = {query.get("conv") for query in queries}
    with gzip.open(folder / "corpus.jsonl.gz", "rt") as lines:
        documents = [each for each in map(json.loads, lines) if each.get("conv") in seen]
    return Collection(folder.name, documents, queries, relevant)


def text(document: dict[str, Any]) -> str:
    return f"{document.get('title', '')} {document['text']}".strip()


def ndcg(found: Sequence[str], grades: dict[str, int]) -> float:
    def gain(values: Sequence[int]) -> float:
        return sum(max(0, value) / log2(rank + 2) for rank, value in enumerate(values[:DEPTH]))

    return gain([grades.get(each, 0) for each in found]) / gain(sorted(grades.values())[::-1])


def orders(collection: Collection, similar: NDArray[np.float32]) -> Iterator[list[int]]:
    conversations = np.array([str(each.get("conv")) for each in collection.documents])
    for query, row in zip(collection.queries, similar, strict=True):
        scoped = np.where(conversations == str(query.get("conv")), row, -np.inf)
        yield np.argsort(-scoped, kind="stable")[:HEAD].tolist()


def quality(collection: Collection, found: Sequence[Sequence[int]]) -> float:
    scores = [
        ndcg([collection.documents[n]["_id"] for n in order], collection.relevant[query["_id"]])
        for query, order in zip(collection.queries, found, strict=True)
    ]
    return float(np.mean(scores))


def reranked(collection: Collection, found: Sequence[Sequence[int]]) -> list[list[int]]:
    maxsim = judge("maxsim")
    result = []
    for query, order in zip(collection.queries, found, strict=True):
        scores = maxsim.judge(query["text"], [text(collection.documents[n]) for n in order])
        result.append([n for _, n in sorted(zip(scores, order, strict=True), key=lambda p: -p[0])])
    return result


def measure(collection: Collection, name: str, *, rerank: bool) -> None:
    model = embedder(name)
    model.embed(["warm"])
    start = time.perf_counter()
    documents = model.embed([text(each) for each in collection.documents])
    rate = len(documents) / (time.perf_counter() - start)
    waits, queries = [], []
    for query in collection.queries:
        start = time.perf_counter()
        queries.append(model.embed([query["text"]])[0])
        waits.append((time.perf_counter() - start) * 1000)
    found = list(orders(collection, np.array(queries) @ documents.T))
    p50, p95 = np.percentile(waits, [50, 95])
    shown = f"{rate:9.0f}/s {p50:7.2f} {p95:7.2f}"
    print(f"{collection.name:15} {name:16} {quality(collection, found):6.4f} {shown}", flush=True)
    if rerank and name == "minilm":
        measure_rerank(collection, found)


def measure_rerank(collection: Collection, found: Sequence[Sequence[int]]) -> None:
    start = time.perf_counter()
    better = quality(collection, reranked(collection, found))
    wait = (time.perf_counter() - start) / len(found) * 1000
    print(f"{collection.name:15} {'minilm+maxsim':16} {better:6.4f} {'':11} {wait:7.0f} (mean)")


def load(name: str) -> None:
    start = time.perf_counter()
    model = embedder(name)
    model.embed(["first"])
    print(f"{time.perf_counter() - start:.3f}")


def fresh_loads() -> None:
    print("seconds to the first vector in a fresh process, median of 5 (after importing the names)")
    for name in MODELS:
        command = [sys.executable, "-m", "bench.encoders", "--load", name]
        runs = [
            float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)  # noqa: S603  # this very file
            for _ in range(5)
        ]
        print(f"  {name:12} {sorted(runs)[2]:.3f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the local embedders.")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--queries", type=int, default=300, help="at most so many a collection")
    parser.add_argument("--rerank", action="store_true")
    parser.add_argument("--load", choices=MODELS)
    parser.add_argument("collections", nargs="*", default=["cranfield", "scifact-train", "locomo"])
    asked = parser.parse_args()
    if asked.load:
        load(asked.load)
        return
    fresh_loads()
    if asked.data is None:
        return
    print(f"{'collection':15} {'model':16} nDCG@10 passages/s  ms a query: p50  p95")
    for name in asked.collections:
        collection = read(asked.data / name, asked.queries)
        for model in MODELS:
            measure(collection, model, rerank=asked.rerank)


if __name__ == "__main__":
    main()
