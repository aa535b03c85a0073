"""Recollect as a user has it: a store, and a whole answer for every question."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.peers.peer import DEPTH, Batch, Matrix
from recollect.engine.ask import ask
from recollect.engine.learn import document_of
from recollect.model.note import Note
from recollect.model.query import Query, Scope
from recollect.open import SystemClock
from recollect.ports import Place
from recollect.recipes.recipe import ByMeaning, ByWords, Recipe
from recollect.stores.sqlite import sqlite_store

SPACE = "bench"
MODEL = "given"
RECIPE = Recipe("bench", "words and meaning", (ByWords(depth=DEPTH), ByMeaning(depth=DEPTH)))


class Given:
    """An embedder that was told the question's vector: embedding is not what is measured."""

    identity = MODEL
    may_wait = False
    weak = False

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self.vector: Matrix = np.zeros(dimensions, np.float32)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.tile(self.vector, (len(texts), 1))


class Recollect:
    def __init__(self, directory: Path, dimensions: int) -> None:
        self._opened = self._open(directory)
        self._embedder = Given(dimensions)
        self._clock = SystemClock()
        self._ports = self._opened.store.ports(self._clock, self._embedder)

    def _open(self, directory: Path) -> Place:
        return sqlite_store(directory / "store.db")

    def load(self, batches: Iterable[Batch]) -> None:
        moment = self._clock.now()
        vector_writer = self._opened.store.vector_writer
        assert vector_writer is not None
        for batch in batches:
            numbers = [str(number) for number in batch.numbers]
            notes = [
                Note(number, SPACE, text, moment, moment)
                for number, text in zip(numbers, batch.texts, strict=True)
            ]
            self._opened.store.writer.put([document_of(note) for note in notes])
            vectors = zip(numbers, batch.vectors, strict=True)
            vector_writer.put_vectors(MODEL, {f"{number}#0": vector for number, vector in vectors})
        self._opened.publish()

    def close(self) -> None:
        self._opened.close()

    def best(self, text: str, vector: Matrix) -> list[int]:
        self._embedder.vector = vector
        answer = ask(Query(text, Scope.of(SPACE), self._clock.now()), RECIPE, self._ports)
        return [int(result.note_id) for result in answer.results]
