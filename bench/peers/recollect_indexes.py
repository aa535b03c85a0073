"""Recollect's two derived indexes alone, beside a bare SQLite file: what the product is built on."""

import sqlite3
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from bench.peers.peer import DEPTH, Batch, Matrix, fused, words
from recollect.stores.sqlite.codes import CodeIndex
from recollect.stores.sqlite.impact import ImpactIndex


class RecollectIndexes:
    def __init__(self, directory: Path, dimensions: int):
        self._file = directory / "store.db"
        self._words = ImpactIndex.open(directory / "store.db.index" / "words", "bench")
        self._codes = CodeIndex.open(directory / "store.db.index" / "vectors", dimensions, "bench")

    def load(self, batches: Iterable[Batch]) -> None:
        with sqlite3.connect(self._file) as file:
            file.execute("PRAGMA journal_mode = WAL")
            file.execute("CREATE TABLE passage (row INTEGER PRIMARY KEY, text TEXT, vector BLOB)")
            for batch in batches:
                blobs = (vector.tobytes() for vector in batch.vectors)
                passages = zip(batch.numbers, batch.texts, blobs, strict=True)
                file.executemany("INSERT INTO passage VALUES (?, ?, ?)", passages)
                counted = [Counter(words(text)) for text in batch.texts]
                lengths = [terms.total() for terms in counted]
                self._words.add(batch.numbers, counted, lengths)
                self._codes.add(batch.numbers, batch.vectors)
        self._words.publish()
        self._codes.publish()

    def best(self, text: str, vector: Matrix) -> list[int]:
        by_words, _ = self._words.search(Counter(words(text)), DEPTH)
        by_meaning, _ = self._codes.search(vector, DEPTH)
        return fused(by_words.tolist(), by_meaning.tolist())
