"""The hook as an agent waits for it: whole processes, from start to exit.

    python -m bench.hook                 200 prompts over 5,000 episodes, then 500 calls, 20 at once
    python -m bench.hook --model static  with another model

Prints p50 and p99 in milliseconds, interpreter start included (R1.8: 240), and whether a process was
left behind or a file torn.
"""

import argparse
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import quantiles

from recollect.model.note import Note
from recollect.open import open_library

BUDGET_MS = 240  # R1.8
PARTS = 5  # looks at the process's memory on the way
TOPICS = (
    "deploy staging rollback pipeline canary release",
    "postgres index vacuum migration replica lock",
    "login token session cookie refresh expiry",
    "parser grammar token lexer error recovery",
    "invoice tax rounding currency export ledger",
    "cache eviction warmup stampede key ttl",
    "react component state render hook effect",
    "kubernetes pod probe limit node drain",
    "bread rye starter oven crumb hydration",
    "meeting decision owner deadline budget plan",
)
FILLER = (
    "we then found that the old one was slower so it had to be changed again before noon".split()
)


def episode(at: int, chance: random.Random) -> Note:
    topic = chance.choice(TOPICS).split()
    words = [*chance.choices(topic, k=8), *chance.choices(FILLER, k=10), f"case{at}"]
    chance.shuffle(words)
    moment = datetime.now(UTC) - timedelta(minutes=at)
    importance = chance.choice((0.25, 0.5, 0.5, 0.75))
    return Note(f"e{at}", "memory", " ".join(words), moment, moment, importance=importance)


def prompt(at: int, chance: random.Random) -> str:
    words = chance.choices(chance.choice(TOPICS).split(), k=4)
    return f"why did {' '.join(words)} fail in case{chance.randrange(5_000)}, and what about {at}?"


def fill(store: Path, episodes: int, model: str) -> None:
    chance = random.Random(1)
    with open_library(store, model=model) as library:
        library.learn(episode(at, chance) for at in range(episodes))
        began = time.perf_counter()
        library.embed()
        library.publish()
        print(f"{episodes:,} episodes embedded in {time.perf_counter() - began:.0f} s", end=" ")
        print(f"with {library.embedder.identity if library.embedder else 'no model'}")


class Bench:
    def __init__(self, home: Path, model: str, deadline_ms: float) -> None:
        self.home = home
        self.store = home / "s.db"
        self._command = [
            *(shutil.which("recollect") or f"{Path(sys.executable).parent}/recollect",),
            *("hook", "--store", str(self.store), "--model", model, "--force"),
            *("--deadline-ms", str(deadline_ms)),
        ]
        self._environment = {**os.environ, "XDG_RUNTIME_DIR": str(home)}

    def call(self, text: str, session: str) -> tuple[float, bool]:
        """Milliseconds, and whether it was answered in time."""
        event = {"session_id": session, "hook_event_name": "UserPromptSubmit", "prompt": text}
        began = time.perf_counter()
        done = subprocess.run(  # noqa: S603
            self._command,
            input=json.dumps(event).encode(),
            capture_output=True,
            check=True,
            env=self._environment,
        )
        took = (time.perf_counter() - began) * 1000
        return took, b"no answer within" not in done.stderr

    def processes(self) -> list[int]:
        found = []
        for entry in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = entry.read_bytes().split(b"\0")
            except OSError:
                continue
            if b"recollect.faces.hook.warm" in words and str(self.store).encode() in words:
                found.append(int(entry.parent.name))
        return found

    def files(self) -> list[dict[str, object]]:
        return [json.loads(path.read_text()) for path in self.home.glob("*.recollections/*.json")]

    def stop(self) -> bool:
        """Whether everything is gone a moment after being told to."""
        for process in self.processes():
            os.kill(process, signal.SIGTERM)
        for _ in range(100):
            if not self.processes():
                return True
            time.sleep(0.05)
        return False


def children_ms() -> float:
    """CPU of the calls so far, which a busy machine changes least."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


def resident_mb(process: int) -> float:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def in_a_row(bench: Bench, prompts: int) -> None:
    chance = random.Random(2)
    while not bench.call("warming up", "warm")[1]:
        time.sleep(0.2)
    spent = children_ms()
    times, answered = zip(
        *(bench.call(prompt(at, chance), f"row{at % 7}") for at in range(prompts)), strict=True
    )
    own = (children_ms() - spent) / prompts
    cuts = quantiles(times, n=100, method="inclusive")
    print(
        f"{prompts} prompts: p50 {cuts[49]:.0f} ms, p90 {cuts[89]:.0f} ms, p99 {cuts[98]:.0f} ms, "
        f"max {max(times):.0f} ms; {sum(answered)} answered, {prompts - sum(answered)} too late; "
        f"{own:.0f} ms of CPU each, the warm process's apart"
    )


def many_at_once(bench: Bench, calls: int, at_once: int) -> None:
    chance = random.Random(3)
    [process] = bench.processes()
    before = resident_mb(process)
    texts = [prompt(at, chance) for at in range(calls)]
    sessions = [f"b{at % at_once}" for at in range(calls)]
    done: list[tuple[float, bool]] = []
    memory: list[float] = [before]
    began = time.perf_counter()
    part = max(1, calls // PARTS)
    with ThreadPoolExecutor(at_once) as pool:
        for at in range(0, calls, part):
            done += pool.map(bench.call, texts[at : at + part], sessions[at : at + part])
            memory.append(resident_mb(process))
    took = time.perf_counter() - began
    late = sum(not answered for _, answered in done)
    print(f"{calls} calls, {at_once} at once: {took:.1f} s, every exit code 0, {late} too late")
    same = bench.processes() == [process]
    print(f"one process throughout: {same}; {len(bench.files())} whole files")
    print(f"memory of that process, MB: {' → '.join(f'{one:.0f}' for one in memory)}")


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--episodes", type=int, default=5_000)
    words.add_argument("--prompts", type=int, default=200)
    words.add_argument("--calls", type=int, default=500)
    words.add_argument("--at-once", type=int, default=20)
    words.add_argument("--model", default="auto")
    words.add_argument("--deadline-ms", type=float, default=BUDGET_MS)
    given = words.parse_args()
    home = Path(tempfile.mkdtemp(prefix="rc"))
    bench = Bench(home, given.model, given.deadline_ms)
    try:
        fill(bench.store, given.episodes, given.model)
        in_a_row(bench, given.prompts)
        many_at_once(bench, given.calls, given.at_once)
        print(
            f"none left behind: {bench.stop()}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
        )
    finally:
        bench.stop()
        shutil.rmtree(home)


if __name__ == "__main__":
    main()
