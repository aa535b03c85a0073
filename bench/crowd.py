"""Several processes write and read one file at once. `python -m bench.crowd --seconds 60`

Every writer counts what was acknowledged; every reader searches for what it knows to be there. In the
end nothing acknowledged may be missing, and nobody may have seen an error.
"""

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from multiprocessing.queues import Queue
from pathlib import Path

import numpy as np
from tests.building import NOW, note

from recollect.engine.learn import document_of
from recollect.model.query import Scope
from recollect.model.tree import Word
from recollect.stores.sqlite import sqlite_store
from recollect.stores.sqlite.doctor import examine

HOME = Scope.of("home")
DIMENSIONS = 32


@dataclass(frozen=True)
class Outcome:
    writes: int
    reads: int
    errors: tuple[str, ...]
    lost: int
    slowest_write_ms: float
    slowest_read_ms: float


def write(
    path: Path, name: str, seconds: float, said: "Queue[tuple[str, int, float, str]]"
) -> None:
    written, slowest, error = 0, 0.0, ""
    rng = np.random.default_rng(0)
    try:
        with sqlite_store(path) as opened:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                begun = time.monotonic()
                one = note(f"{name}-{written:06}", f"memory by {name} number{written}")
                opened.store.writer.put([document_of(one)])
                if opened.store.vector_writer and written % 5 == 0:
                    vector = rng.normal(size=DIMENSIONS).astype(np.float32)
                    opened.store.vector_writer.put_vectors("m", {f"{one.id}#0": vector})
                if written % 10 == 0:
                    opened.store.usage.shown([one.id], NOW)
                slowest = max(slowest, time.monotonic() - begun)
                written += 1
    except Exception as failure:
        error = f"{name}: {failure!r}"
    said.put((name, written, slowest, error))


def read(path: Path, name: str, seconds: float, said: "Queue[tuple[str, int, float, str]]") -> None:
    asked, slowest, error, seen = 0, 0.0, "", 0
    query = np.ones(DIMENSIONS, np.float32)
    try:
        with sqlite_store(path) as opened:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                begun = time.monotonic()
                hits = opened.store.words.find(Word("memory"), HOME, 1000)
                if opened.store.vectors:
                    opened.store.vectors.nearest("m", query, HOME, 10)
                    opened.store.vectors.recently_accessed("m", HOME, 10)
                opened.store.shelf.facts([hit.note_id for hit in hits[:10]])
                slowest = max(slowest, time.monotonic() - begun)
                if len(hits) < seen:
                    error = f"{name}: {seen} notes were found before, {len(hits)} now"
                    break
                seen = len(hits)
                asked += 1
    except Exception as failure:
        error = f"{name}: {failure!r}"
    said.put((name, asked, slowest, error))


def crowd(path: Path, seconds: float, writers: int = 4, readers: int = 4) -> Outcome:
    context = multiprocessing.get_context("spawn")
    said: Queue[tuple[str, int, float, str]] = context.Queue()
    jobs = [(write, f"w{n}") for n in range(writers)] + [(read, f"r{n}") for n in range(readers)]
    crew = [context.Process(target=job, args=(path, name, seconds, said)) for job, name in jobs]
    for process in crew:
        process.start()
    told = {
        name: (many, slowest, error) for name, many, slowest, error in (said.get() for _ in crew)
    }
    for process in crew:
        process.join()
    with sqlite_store(path) as opened:
        there = set(opened.store.listing.ids_in(HOME))
        sick = [each.what for each in examine(opened, thorough=True) if each.level == "error"]
    expected = {
        f"{name}-{number:06}"
        for name, (many, _, _) in told.items()
        if name.startswith("w")
        for number in range(many)
    }
    return Outcome(
        writes=len(expected),
        reads=sum(many for name, (many, _, _) in told.items() if name.startswith("r")),
        errors=tuple(error for _, _, error in told.values() if error) + tuple(sick),
        lost=len(expected - there),
        slowest_write_ms=1e3 * max(s for n, (_, s, _) in told.items() if n.startswith("w")),
        slowest_read_ms=1e3 * max(s for n, (_, s, _) in told.items() if n.startswith("r")),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--writers", type=int, default=4)
    parser.add_argument("--readers", type=int, default=4)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        outcome = crowd(path, asked.seconds, asked.writers, asked.readers)
    print(
        f"{asked.writers} writers, {asked.readers} readers, {asked.seconds:g} s:"
        f" {outcome.writes} writes, {outcome.reads} rounds of reading, {outcome.lost} writes lost;"
        f" slowest write {outcome.slowest_write_ms:.0f} ms,"
        f" slowest round {outcome.slowest_read_ms:.0f} ms"
    )
    for error in outcome.errors:
        print(error)
    return 1 if outcome.errors or outcome.lost else 0


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())
