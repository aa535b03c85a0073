"""The service under a crowd: clients that search, write and change weights at once.

    python -m bench.service [--clients 64] [--seconds 60]

Starts the service on a port of its own over an empty store, and tells: answers by kind, p50 and
p95, how many were 5xx, and whether every write that was accepted is there afterwards.
"""

import argparse
import json
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from recollect.open import open_library

WORDS = (
    "fox hound river bridge garden bread night train letter window stone cloud music salt".split()
)


@dataclass
class Tally:
    statuses: Counter[int] = field(default_factory=Counter)
    times: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    accepted: list[str] = field(default_factory=list)
    broken: int = 0

    def add(self, other: "Tally") -> None:
        self.statuses += other.statuses
        self.accepted += other.accepted
        self.broken += other.broken
        for kind, times in other.times.items():
            self.times[kind] += times


class Visitor(threading.Thread):
    """One client on one connection that is kept open, asking one thing after another."""

    def __init__(self, number: int, port: int, ends: float) -> None:
        super().__init__(daemon=True)
        self.number, self.port, self.ends = number, port, ends
        self.chance = random.Random(number)
        self.tally = Tally()

    def run(self) -> None:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        at = 0
        while time.monotonic() < self.ends:
            at += 1
            kind, method, path, body = self.wish(at)
            began = time.perf_counter()
            try:
                connection.request(
                    method, path, json.dumps(body), {"Content-Type": "application/json"}
                )
                reply = connection.getresponse()
                reply.read()
            except (OSError, HTTPException):
                self.tally.broken += 1
                connection.close()
                continue
            self.tally.times[kind].append((time.perf_counter() - began) * 1000)
            self.tally.statuses[reply.status] += 1
            if reply.status == 201:
                self.tally.accepted.append(str(body["id"]))
        connection.close()

    def wish(self, at: int) -> tuple[str, str, str, dict[str, object]]:
        text = " ".join(self.chance.sample(WORDS, 5))
        roll = self.chance.random()
        if roll < 0.70:
            return "search", "POST", "/search", {"query": text, "session": str(self.number % 8)}
        if roll < 0.95:
            own = {"id": f"e{self.number}-{at}", "session": str(self.number % 8)}
            return "write", "POST", "/episodes", {**own, "user": text}
        weight = round(self.chance.uniform(0, 5), 2)
        return "settings", "PATCH", "/settings", {"keywordWeight": weight}


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def wait_until_ready(port: int) -> None:
    for _ in range(600):
        try:
            connection = HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/readyz")
            connection.getresponse().read()
            connection.close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("the service did not start")


def percentile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def crowd(port: int, clients: int, seconds: float) -> Tally:
    ends = time.monotonic() + seconds
    visitors = [Visitor(number, port, ends) for number in range(clients)]
    for one in visitors:
        one.start()
    tally = Tally()
    for one in visitors:
        one.join()
        tally.add(one.tally)
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--model", default="static")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store, port = Path(folder) / "store.db", free_port()
        words = ["serve", "--store", str(store), "--port", str(port), "--rate", "0"]
        process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", "recollect", *words, "--model", given.model],
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_until_ready(port)
            tally = crowd(port, given.clients, given.seconds)
        finally:
            process.terminate()
            process.wait(60)
        with open_library(store, model=None) as library:
            kept = len(library.store.shelf.notes(tally.accepted))
    total = sum(tally.statuses.values())
    print(
        f"{given.clients} clients, {given.seconds:g} s: {total} answers, {total / given.seconds:.0f}/s"
    )
    for kind, times in sorted(tally.times.items()):
        p50, p95 = percentile(times, 0.5), percentile(times, 0.95)
        print(f"{kind:<9} {len(times):>6}   p50 {p50:7.1f} ms   p95 {p95:7.1f} ms")
    failed = sum(count for status, count in tally.statuses.items() if status >= 500)
    lost = len(tally.accepted) - kept
    print(f"statuses {dict(tally.statuses)}; 5xx {failed}; broken {tally.broken}")
    print(f"accepted writes {len(tally.accepted)}, lost {lost}")
    return 1 if failed or lost or tally.broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
