"""The script anyone would write first: SQLite's FTS5, and a matrix product over all vectors."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from bench.peers.peer import DEPTH, Batch, Matrix, fused, words


class Fts5Numpy:
    def __init__(self, directory: Path, dimensions: int):  # noqa: ARG002 - one shape for all peers
        self._file = sqlite3.connect(directory / "store.db")
        self._vectors = directory / "vectors.npy"
        if self._vectors.exists():
            self._matrix = np.load(self._vectors)

    def load(self, batches: Iterable[Batch]) -> None:
        vectors: list[Matrix] = []
        with self._file:
            self._file.execute("CREATE VIRTUAL TABLE passage USING fts5(text)")
            for batch in batches:
                passages = zip(batch.numbers, batch.texts, strict=True)
                self._file.executemany("INSERT INTO passage (rowid, text) VALUES (?, ?)", passages)
                vectors.append(batch.vectors)
        np.save(self._vectors, np.concatenate(vectors))

    def best(self, text: str, vector: Matrix) -> list[int]:
        similar = self._matrix @ vector
        near = np.argpartition(similar, -DEPTH)[-DEPTH:]
        ordered = near[np.lexsort((near, -similar[near]))]
        return fused(self._by_words(text), ordered.tolist())

    def _by_words(self, text: str) -> list[int]:
        query = " OR ".join(f'"{word}"' for word in words(text))
        ranked = "SELECT rowid FROM passage WHERE passage MATCH ? ORDER BY rank LIMIT ?"
        return [row for (row,) in self._file.execute(ranked, (query, DEPTH))] if query else []
