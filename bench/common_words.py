"""Bags of words with common words in them, on a Postgres of its own: pruned against asking for all.

python -m bench.common_words --passages 30000
"""

import argparse
import statistics
import time
from collections.abc import Sequence

import numpy as np
from tests.stores.postgres.server import PLAIN, running

from recollect.engine.learn import document_of
from recollect.model.note import Note
from recollect.model.query import Scope
from recollect.model.ranking import Hit
from recollect.model.tree import Bag, Word
from recollect.open import SystemClock
from recollect.stores.postgres import PostgresStore, postgres_store
from recollect.stores.postgres.words import FIRST, PostgresWords

VOCABULARY = 60_000
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SPACE = "bench"
AT_ONCE = 500


def spelled(rank: int) -> str:
    """A word that no stemmer shortens into another's."""
    name, left = "", rank + len(LETTERS)
    while left:
        left, letter = divmod(left, len(LETTERS))
        name += LETTERS[letter]
    return f"{name}q"


class Zipf:
    """Words as often as a language has them: the second half as often as the first, and so on."""

    def __init__(self, seed: int) -> None:
        self._chance = np.random.default_rng(seed)
        shares = 1 / np.arange(1, VOCABULARY + 1)
        self._reached = np.cumsum(shares / shares.sum())

    def words(self, least: int, most: int) -> list[str]:
        drawn = self._chance.random(int(self._chance.integers(least, most)))
        return [spelled(rank) for rank in np.searchsorted(self._reached, drawn).tolist()]


def fill(opened: PostgresStore, passages: int, zipf: Zipf) -> float:
    now, began = SystemClock().now(), time.perf_counter()
    for start in range(0, passages, AT_ONCE):
        notes = (
            Note(f"n{number}", SPACE, " ".join(zipf.words(30, 120)), now, now)
            for number in range(start, min(start + AT_ONCE, passages))
        )
        opened.store.writer.put(map(document_of, notes))
    opened.publish()
    return time.perf_counter() - began


def timed(
    words: PostgresWords, queries: Sequence[Bag], depth: int
) -> tuple[float, list[Sequence[Hit]]]:
    taken, answers = [], []
    for query in queries:
        began = time.perf_counter()
        answers.append(words.find(query, Scope.of(SPACE), depth))
        taken.append(time.perf_counter() - began)
    return statistics.median(taken) * 1000, answers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, default=30_000)
    parser.add_argument("--queries", type=int, default=25)
    parser.add_argument("--depth", type=int, default=100)
    given = parser.parse_args()
    zipf = Zipf(3)
    with running(PLAIN, "shared_buffers=512MB") as server, postgres_store(server.address) as opened:
        seconds = fill(opened, given.passages, zipf)
        print(f"{given.passages:,} passages in {seconds:.0f} s")
        queries = [Bag(tuple(map(Word, zipf.words(5, 11)))) for _ in range(given.queries)]
        ways = {"pruned": FIRST, "all asked for": 10**9}
        told = {}
        for name, first in ways.items():
            words = PostgresWords(opened.connections, first=first)
            timed(words, queries, given.depth)  # whoever comes first finds nothing in memory
            told[name] = timed(words, queries, given.depth)
            print(f"{name:<14} {told[name][0]:7.1f} ms (median)")
        one, other = (answers for _, answers in told.values())
        print("answers are equal" if one == other else "ANSWERS DIFFER")


if __name__ == "__main__":
    main()
