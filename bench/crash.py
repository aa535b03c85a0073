"""Kill a process that learns, at random moments, and see what is left. `python -m bench.crash --kills 50`

The writer says each note's number once its write was acknowledged, embeds now and then, searches and
publishes its indexes; it is killed with SIGKILL. After every kill the file must open, the doctor must
find nothing wrong, and every number that was said must be there. Then the next writer goes on.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from tests.building import note

from recollect.encoders.hashing import Hashing
from recollect.engine.learn import document_of, embed_waiting
from recollect.model.note import Note
from recollect.model.query import Scope
from recollect.model.tree import Word
from recollect.stores.sqlite import SQLiteStore, sqlite_store
from recollect.stores.sqlite.doctor import examine

HOME = Scope.of("home")
BATCH = 20


def numbered(number: int) -> Note:
    text = f"memory number{number} about topic{number % 7} " + "and so on " * (number % 40)
    return note(f"n{number:06}", text, title=f"title {number % 11}")


def write_for_ever(path: Path, start: int) -> None:
    """What the killed process does."""
    with sqlite_store(path) as opened:
        for batch in count(start // BATCH):
            numbers = range(batch * BATCH, (batch + 1) * BATCH)
            opened.store.writer.put([document_of(numbered(number)) for number in numbers])
            print(numbers[-1], flush=True)
            if batch % 3 == 0 and opened.store.vector_writer:
                embed_waiting(opened.store.vector_writer, Hashing(64), batch=16)
            if batch % 2 == 0:
                opened.store.words.find(Word("topic3"), HOME, 10)
            if batch % 5 == 0:
                opened.indexes.publish()
            if batch % 7 == 0:
                opened.store.writer.put([document_of(numbered(numbers[0]))])


def kill_once(path: Path, start: int, after: float) -> int:
    """Lets a writer run for a while, then kills it; the last number it said was written."""
    command = [sys.executable, "-m", "bench.crash", "--write", str(path), "--start", str(start)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:  # noqa: S603
        assert writer.stdout is not None
        first = writer.stdout.readline()  # started, and the first batch is in
        time.sleep(after)
        writer.send_signal(signal.SIGKILL)
        said = [first, *writer.stdout.read().splitlines()]
    return max((int(line) for line in said if line.strip().isdigit()), default=start - 1)


def faults(opened: SQLiteStore, acknowledged: int) -> list[str]:
    found = [each.what for each in examine(opened, thorough=True) if each.level == "error"]
    there = set(opened.store.listing.ids_in(HOME))
    lost = [number for number in range(acknowledged + 1) if f"n{number:06}" not in there]
    if lost:
        found.append(f"{len(lost)} acknowledged notes are lost, the first is {lost[0]}")
    if acknowledged >= 0:
        hits = opened.store.words.find(Word(f"number{acknowledged}"), HOME, 1)
        if [hit.note_id for hit in hits] != [f"n{acknowledged:06}"]:
            found.append(f"note {acknowledged} is there, but is not found by its word")
    return found


def kills(path: Path, times: int, seed: int = 0) -> Iterator[tuple[float, int, list[str]]]:
    """After each kill: how long the writer lived, what it had written, and what was wrong."""
    rng = random.Random(seed)
    reached = -1
    for _ in range(times):
        after = rng.uniform(0, 0.4)
        reached = max(reached, kill_once(path, reached + 1, after))
        with sqlite_store(path) as opened:
            yield after, reached, faults(opened, reached)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--start", type=int, default=0)
    asked = parser.parse_args()
    if asked.write:
        write_for_ever(asked.write, asked.start)
    broken = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, (after, reached, found) in enumerate(
            kills(Path(folder) / "store.db", asked.kills, asked.seed), 1
        ):
            broken += bool(found)
            verdict = "; ".join(found) or "sound"
            print(
                f"kill {number:3}  after {after * 1000:4.0f} ms  {reached + 1:6} notes  {verdict}"
            )
    print(f"{asked.kills} kills, {broken} left something wrong")
    return 1 if broken else 0


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())
