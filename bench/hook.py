"""The hook as an agent waits for it: whole processes, from start to exit.

    python -m bench.hook                 200 prompts over 5,000 episodes; 500 calls in a row; 20 at once
    python -m bench.hook --model static  with another model

Prints p50 and p99 in milliseconds, interpreter start included (R1.8: 240), whether a process was left
behind or a file lost or torn, and the warm process's memory as the calls go on. Python keeps the
bytecode of what it imports, as it does where the package was installed.
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
        self._environment = dict(os.environ)
        self._environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self.sessions: set[str] = set()

    def call(self, text: str, session: str) -> tuple[float, bool]:
        """Milliseconds, and whether it was answered in time."""
        self.sessions.add(session)
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

    def lost_or_torn(self) -> int:
        """Sessions whose file is not there, or not whole."""
        folder = Path(f"{self.store}.recollections")
        return sum(not _is_whole(folder / f"{one}.json") for one in self.sessions)

    def stop(self) -> bool:
        """Whether everything is gone a moment after being told to."""
        for process in self.processes():
            os.kill(process, signal.SIGTERM)
        for _ in range(100):
            if not self.processes():
                return True
            time.sleep(0.05)
        return False


def _is_whole(path: Path) -> bool:
    try:
        return len(json.loads(path.read_text())["memories"]) > 0
    except (OSError, ValueError, KeyError):
        return False


def children_ms() -> float:
    """CPU of the calls so far, which a busy machine changes least."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


def own_ms(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") * 1000


def resident_mb(process: int) -> float:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


class Course:
    """Calls, stage after stage, to one warm process; what each stage came to is printed."""

    def __init__(self, bench: Bench) -> None:
        while not bench.call("warming up", "warm")[1]:
            time.sleep(0.2)
        self._bench = bench
        self._chance = random.Random(2)
        self._calls = 0
        [self._process] = bench.processes()
        self._memory = [f"{resident_mb(self._process):.0f} warmed up"]

    def run(self, calls: int, at_once: int = 1) -> None:
        if not calls:
            return
        names = [f"{at_once}-{at % max(7, at_once)}" for at in range(calls)]
        texts = [prompt(at, self._chance) for at in range(calls)]
        spent, warm, began = children_ms(), own_ms(self._process), time.perf_counter()
        with ThreadPoolExecutor(at_once) as pool:
            done = list(pool.map(self._bench.call, texts, names))
        took = time.perf_counter() - began
        hooks, own = children_ms() - spent, own_ms(self._process) - warm
        self._calls += calls
        self._memory.append(f"{resident_mb(self._process):.0f} after {self._calls}")
        cuts = quantiles((ms for ms, _ in done), n=100, method="inclusive")
        late = sum(not answered for _, answered in done)
        print(
            f"{calls} calls, {at_once} at once: p50 {cuts[49]:.0f} ms, p90 {cuts[89]:.0f} ms, "
            f"p99 {cuts[98]:.0f} ms, max {max(done)[0]:.0f} ms; {late} too late; "
            f"{calls / took:.0f} a second; CPU each: hook {hooks / calls:.0f} ms, "
            f"warm process {own / calls:.0f} ms; load {os.getloadavg()[0]:.1f}"
        )

    def report(self) -> None:
        same = self._bench.processes() == [self._process]
        lost = self._bench.lost_or_torn()
        print(f"every exit code 0; one process throughout: {same}; files lost or torn: {lost}")
        print(f"memory of that process, MB: {', '.join(self._memory)}")


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--episodes", type=int, default=5_000)
    words.add_argument("--prompts", type=int, default=200)
    words.add_argument("--row", type=int, default=300, help="more calls in a row")
    words.add_argument("--calls", type=int, nargs="*", default=[500, 1_000], help="at once")
    words.add_argument("--at-once", type=int, default=20)
    words.add_argument("--model", default="auto")
    words.add_argument("--deadline-ms", type=float, default=BUDGET_MS)
    words.add_argument("--home", type=Path, help="a folder to keep; filled when it is new")
    given = words.parse_args()
    home = given.home or Path(tempfile.mkdtemp(prefix="rc"))
    home.mkdir(parents=True, exist_ok=True)
    bench = Bench(home, given.model, given.deadline_ms)
    try:
        if not bench.store.exists():
            fill(bench.store, given.episodes, given.model)
        course = Course(bench)
        for calls in (given.prompts, given.row):
            course.run(calls)
        for calls in given.calls:
            course.run(calls, given.at_once)
        course.report()
        print(f"none left behind: {bench.stop()}; {os.cpu_count()} cores")
    finally:
        bench.stop()
        if not given.home:
            shutil.rmtree(home)


if __name__ == "__main__":
    main()
