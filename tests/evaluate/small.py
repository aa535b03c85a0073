"""A collection small enough to see through, written as its files would be."""

import gzip
import json
from pathlib import Path

CORPUS = [
    {"_id": "fox", "title": "The fox", "text": "A quick brown fox lives in a den under the hill."},
    {"_id": "hen", "title": "The hen", "text": "The hen broods her eggs in a warm straw nest."},
    {"_id": "owl", "title": "The owl", "text": "An owl hunts mice at night without a sound."},
    {"_id": "bee", "title": "The bee", "text": "Bees carry pollen home and make honey of it."},
    {
        "_id": "oak",
        "title": "The oak",
        "text": "An old oak gives shade, acorns and a place to nest.",
    },
    {"_id": "elm", "title": "The elm", "text": "Elm wood bends well and lasts long under water."},
]
QUERIES = [
    {"_id": "q1", "text": "where does the fox live", "category": "animals"},
    {"_id": "q2", "text": "who makes honey", "category": "animals"},
    {"_id": "q3", "text": "which tree gives acorns", "category": "trees"},
    {"_id": "q4", "text": "wood that lasts under water", "category": "trees"},
    {"_id": "q5", "text": "how high do whales jump", "category": "trees"},
]
QRELS = [("q1", "fox", 1), ("q2", "bee", 2), ("q3", "oak", 1), ("q4", "elm", 1), ("q4", "oak", 0)]


def lines(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def write_collection(
    folder: Path,
    corpus: list[dict[str, object]] | None = None,
    queries: list[dict[str, object]] | None = None,
    qrels: list[tuple[str, str, int]] | None = None,
    *,
    zipped: bool = False,
) -> Path:
    (folder / "qrels").mkdir(parents=True)
    text = lines(corpus or [dict(row) for row in CORPUS])
    if zipped:
        (folder / "corpus.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    else:
        (folder / "corpus.jsonl").write_text(text, encoding="utf-8")
    (folder / "queries.jsonl").write_text(lines(queries or [dict(row) for row in QUERIES]))
    judged = "".join(f"{q}\t{d}\t{gain}\n" for q, d, gain in (qrels or QRELS))
    (folder / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{judged}")
    return folder
