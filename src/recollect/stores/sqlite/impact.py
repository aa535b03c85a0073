"""Ranking passages by their words: BM25 over memory-mapped posting lists, exact and incremental.

In go counted terms per passage, under the store's row numbers; out come the best rows for some
weighted terms. The index knows nothing of texts: what a term is, and how much a field counts, is
decided by whoever counts. Scores are the same as those of an index built afresh from the same
passages. Touches files, in its own directory only.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.model.errors import BadInput
from recollect.stores.sqlite import bm25, postings
from recollect.stores.sqlite.bm25 import Clause, Lists
from recollect.stores.sqlite.layers import Allowed, Layers, Part, Rows
from recollect.stores.sqlite.segment import Damaged

K1 = 1.2  # Robertson and Zaragoza 2009, and what FTS5 uses
B = 0.75  # the same; lower for passages whose length says little about them
_SEALED = 2_000_000  # postings that wait for a search or a publication before they become a part


class _Statistics(NamedTuple):
    """What BM25 needs to know of all passages together."""

    parts: tuple[Part, ...]
    passages: int
    mean: float


class Details(NamedTuple):
    """`counts` by term and row, `lengths` by row, `holding` by term; then of all passages."""

    counts: NDArray[np.float64]
    lengths: NDArray[np.float64]
    holding: NDArray[np.int64]
    passages: int
    mean: float


class ImpactIndex:
    """The words of all passages, as this process sees them. Searches may run in any thread."""

    def __init__(self, directory: Path, source: str, k1: float = K1, b: float = B):
        self._layers = Layers(directory, source, postings.merged)
        self._batch = postings.Batch()
        self._known = _Statistics((), 0, 1.0)
        self._k1 = k1
        self._b = b

    @classmethod
    def open(cls, directory: Path, source: str, k1: float = K1, b: float = B) -> "ImpactIndex":
        """`source` names the store and its way to count words: another one, another index."""
        return cls(directory, source, k1, b)

    @property
    def mark(self) -> int:
        """The store's change counter up to which this index is complete; 0 for an empty one."""
        return self._layers.mark

    @property
    def problem(self) -> str | None:
        """Why what was found on disk could not be used; None if it could, or nothing was there."""
        return self._layers.problem

    @property
    def disk(self) -> int:
        return self._layers.disk

    def __len__(self) -> int:
        with self._layers.changing:
            self._seal()
        return len(self._layers)

    def add(
        self, rows: Sequence[int], terms: Sequence[Mapping[str, float]], lengths: Sequence[float]
    ) -> None:
        """Add passages, or put them in the place of those with the same row numbers."""
        with self._layers.changing:
            if len(set(rows)) != len(rows):
                raise BadInput("rows", rows, "names a passage twice; add each once")
            if not self._batch.rows.keys().isdisjoint(rows):
                self._seal()
            self._batch.add(rows, terms, lengths)
            if self._batch.postings >= _SEALED:
                self._seal()

    def remove(self, rows: Sequence[int]) -> int:
        """Remove passages; how many of them were there."""
        with self._layers.changing:
            self._seal()
            return self._layers.remove(np.unique(np.asarray(rows, np.int64)))

    def advance(self, mark: int) -> None:
        """Say that every change of the store up to `mark` has been added or removed."""
        self._layers.advance(mark)

    def catching_up(self) -> AbstractContextManager[int]:
        """Take up what others have published, and hold still while changes after it are added.

        The mark it gives is where to start. Searches go on meanwhile, on what was there before.
        """
        return self._layers.catching_up()

    def publish(self) -> bool:
        """Write what was added for all processes to see. False: catch up from `mark`, try later."""
        with self._layers.changing:
            self._seal()
            return self._layers.publish()

    def reset(self) -> None:
        """Forget everything, to be built again."""
        with self._layers.changing:
            self._batch = postings.Batch()
            self._layers.reset()

    def verify(self) -> list[str]:
        """What is wrong with the files, by reading all of them. Empty: nothing."""
        return self._layers.verify()

    def search(
        self, terms: Mapping[str, float], depth: int, allowed: Allowed = None
    ) -> tuple[Rows, NDArray[np.float32]]:
        """The best `depth` rows that hold any of the terms, and their scores; ties by row.

        A term's value says how often the query means it. What is `allowed` decides who is ranked,
        not how rare a word is: scores do not depend on it.
        """
        try:
            return self._best(terms, depth, allowed)
        except IndexError as error:
            raise Damaged(
                "the words index is damaged inside; reset it and build it again"
            ) from error

    def _best(
        self, terms: Mapping[str, float], depth: int, allowed: Allowed
    ) -> tuple[Rows, NDArray[np.float32]]:
        known = self._statistics()
        found_rows, found_scores = [np.zeros(0, np.int64)], [np.zeros(0, np.float32)]
        floor = np.float32(0)
        for part, clauses in self._clauses(known, terms):
            visible = part.visible(allowed)
            positions, scores = bm25.best(
                self._lists(part, known.mean), clauses, depth, visible, floor
            )
            found_rows.append(part.rows[positions])
            found_scores.append(scores)
            if len(scores) >= depth:
                floor = max(floor, np.partition(scores, len(scores) - depth)[len(scores) - depth])
        rows, scores = np.concatenate(found_rows), np.concatenate(found_scores)
        order = np.lexsort((rows, -scores))[:depth]
        return rows[order], scores[order]

    def look_up(self, terms: Sequence[str], rows: Rows) -> Details:
        """What BM25 is made of, for just these rows, ascending: to be computed as exactly as wished.

        A row that is not in the index has no length and no term.
        """
        try:
            return self._details(terms, rows)
        except IndexError as error:
            raise Damaged(
                "the words index is damaged inside; reset it and build it again"
            ) from error

    def _details(self, terms: Sequence[str], rows: Rows) -> Details:
        known, keys = self._statistics(), postings.keys_of(terms)
        counts, lengths = np.zeros((len(terms), len(rows))), np.zeros(len(rows))
        holding = np.zeros(len(terms), np.int64)
        for part in known.parts:
            spans = _spans(part, keys)
            holding += _holding(part, spans)
            positions = np.sort(part.positions(rows)).astype(np.uint32)
            at = np.searchsorted(rows, part.rows[positions])
            lengths[at] = part.arrays["lengths"][positions]
            for term, (start, end) in enumerate(spans.T):
                here, there = bm25.meeting(positions, part.arrays["positions"][start:end])
                counts[term, at[here]] = part.arrays["counts"][start:end][there]
        return Details(counts, lengths, holding, known.passages, known.mean)

    def _seal(self) -> None:
        if self._batch.rows:
            batch, self._batch = self._batch, postings.Batch()
            self._layers.add(batch.columns())

    def _seal_if_free(self) -> None:
        if self._layers.changing.acquire(blocking=False):
            try:
                self._seal()
            finally:
                self._layers.changing.release()

    def _statistics(self) -> _Statistics:
        self._seal_if_free()
        parts, known = self._layers.latest(), self._known
        if known.parts is not parts:
            known = self._known = _statistics(parts)
        return known

    def _lists(self, part: Part, mean: float) -> Lists:
        return Lists(
            part.arrays["positions"],
            part.arrays["counts"],
            part.arrays["lengths"],
            base=np.float32(self._k1 * (1 - self._b)),
            slope=np.float32(self._k1 * self._b / mean),
        )

    def _clauses(
        self, known: _Statistics, terms: Mapping[str, float]
    ) -> Iterator[tuple[Part, list[Clause]]]:
        """Each part with its share of the query, the largest part first, the rarest term first."""
        keys = postings.keys_of(terms)
        spans = [_spans(part, keys) for part in known.parts]
        holding = sum((_holding(*each) for each in zip(known.parts, spans, strict=True)), 0 * keys)
        rarity = np.log1p((known.passages - holding + 0.5) / (holding + 0.5))
        weights = (np.fromiter(terms.values(), float) * rarity * (self._k1 + 1)).astype(np.float32)
        order = [int(at) for at in np.lexsort((keys, holding)) if weights[at] > 0]
        by_size = sorted(zip(known.parts, spans, strict=True), key=lambda each: -len(each[0]))
        for part, span in by_size:
            clauses = [Clause(int(span[0, at]), int(span[1, at]), weights[at]) for at in order]
            yield part, [clause for clause in clauses if clause.size]


def _statistics(parts: tuple[Part, ...]) -> _Statistics:
    passages = sum(part.live for part in parts)
    total = math.fsum(_total_length(part) for part in parts)
    return _Statistics(parts, passages, total / passages if total else 1.0)


def _total_length(part: Part) -> float:
    lengths = part.arrays["lengths"]
    return float(lengths.sum(dtype=np.float64, where=part.alive if part.dead is not None else True))


def _spans(part: Part, keys: postings.Keys) -> NDArray[np.int64]:
    """Where each key's postings start and end; an empty span for a term that is not there."""
    known, starts = part.arrays["keys"], part.arrays["starts"]
    if not len(known):
        return np.zeros((2, len(keys)), np.int64)
    at = np.searchsorted(known, keys)
    at[at == len(known)] = 0
    return np.stack((starts[at], np.where(known[at] == keys, starts[at + 1], starts[at])))


def _holding(part: Part, spans: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many live passages hold each term."""
    sizes: NDArray[np.int64] = spans[1] - spans[0]
    if part.dead is None:
        return sizes
    positions = part.arrays["positions"]
    dead = [part.dead_among(positions[start:end]) for start, end in spans.T]
    return sizes - np.array(dead, np.int64)
