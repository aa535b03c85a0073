"""The measure of the others: BM25 and cosine of every passage, in double precision, no tricks."""

import pickle
from array import array
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.peers.peer import DEPTH, Batch, Matrix, fused, words

K1, B = 1.2, 0.75
AT_ONCE = 65_536  # rows made double at once


class Exact:
    def __init__(self, directory: Path, dimensions: int):  # noqa: ARG002 - one shape for all peers
        self._words, self._vectors = directory / "words.pickle", directory / "vectors.npy"
        if self._words.exists():
            self._lists, self._norms = pickle.loads(self._words.read_bytes())  # noqa: S301
            self._matrix = np.load(self._vectors, mmap_mode="r")

    def load(self, batches: Iterable[Batch]) -> None:
        lists: dict[str, array[int]] = {}
        lengths: list[int] = []
        vectors: list[Matrix] = []
        for batch in batches:
            vectors.append(batch.vectors)
            for number, text in zip(batch.numbers, batch.texts, strict=True):
                counted = Counter(words(text))
                lengths.append(counted.total())
                for word, count in counted.items():
                    lists.setdefault(word, array("I")).extend((number, count))
        norms = K1 * (1 - B + B * np.array(lengths) / np.mean(lengths))
        arrays = {word: np.array(pairs).reshape(-1, 2).T for word, pairs in lists.items()}
        self._words.write_bytes(pickle.dumps((arrays, norms)))
        np.save(self._vectors, np.concatenate(vectors))

    def best(self, text: str, vector: Matrix) -> list[int]:
        return fused(_first(self._bm25(text)), _first(self._cosines(vector)))

    def _cosines(self, vector: Matrix) -> NDArray[np.float64]:
        starts = range(0, len(self._matrix), AT_ONCE)
        return np.concatenate(
            [self._matrix[at : at + AT_ONCE].astype(np.float64) @ vector for at in starts]
        )

    def _bm25(self, text: str) -> NDArray[np.float64]:
        scores = np.zeros(len(self._norms))
        for word, often in Counter(words(text)).items():
            if word in self._lists:
                numbers, counts = self._lists[word]
                rarity = np.log1p((len(scores) - len(numbers) + 0.5) / (len(numbers) + 0.5))
                norm = self._norms[numbers]
                scores[numbers] += often * rarity * counts * (K1 + 1) / (counts + norm)
        return np.where(scores > 0, scores, -np.inf)


def _first(scores: NDArray[np.float64]) -> list[int]:
    order = np.lexsort((np.arange(len(scores)), -scores))[:DEPTH]
    return [int(number) for number in order if scores[number] > -np.inf]
