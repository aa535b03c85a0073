"""Hybrid search with given vectors, side by side: 100 candidates by words, 100 by meaning, RRF 60.

    python -m bench.hybrid --sizes 10000,100000 [--peers recollect,lancedb] [--data FOLDER]

Each system loads and answers in processes of its own, one after the other. `cold` is the time from
starting a process to its first answer, interpreter and imports included; `overlap` is how much of
the best 10 is the same as with exact BM25 and exact cosines. Without `--data` and RECOLLECT_DATA
the passages are generated.
"""

import argparse
import json
import math
import os
import pickle
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from bench.peers import PEERS, opened
from bench.peers.corpus import Corpus, corpus

TOP = 10
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def main() -> None:
    options = _options()
    if options.step:
        _STEPS[options.step](options)
        return
    peers = ["exact", *(name for name in options.peers.split(",") if name != "exact")]
    if unknown := set(peers) - PEERS.keys():
        raise SystemExit(f"no peer {', '.join(unknown)}; known: {', '.join(PEERS)}")
    for size in map(int, options.sizes.split(",")):
        with tempfile.TemporaryDirectory(dir=options.scratch) as scratch:
            Path(scratch).chmod(0o711)  # a server of a peer's own may run as another user
            made = corpus(options.data, options.vectors, size, options.questions)
            (Path(scratch) / "corpus").write_bytes(pickle.dumps(made))
            asked = made._replace(texts=[], vectors=made.vectors[:0])
            (Path(scratch) / "questions").write_bytes(pickle.dumps(asked))
            _table(size, {name: _measured(name, Path(scratch), size) for name in peers})


def _options() -> argparse.Namespace:
    data = os.environ.get("RECOLLECT_DATA")
    known = argparse.ArgumentParser(prog="python -m bench.hybrid", description=__doc__)
    known.add_argument("--sizes", default="10000,100000", help="numbers of passages")
    known.add_argument("--peers", default=",".join(PEERS), help=f"of {', '.join(PEERS)}")
    known.add_argument("--data", type=Path, default=data and Path(data), help="BEIR-like folder")
    known.add_argument("--vectors", type=Path, help="folder of passages.npy and questions.npy")
    known.add_argument("--questions", type=int, default=200)
    known.add_argument("--scratch", type=Path, help="where to put files meanwhile")
    known.add_argument("--step", choices=[*_STEPS], help=argparse.SUPPRESS)
    known.add_argument("--peer", help=argparse.SUPPRESS)
    known.add_argument("--started", type=float, help=argparse.SUPPRESS)
    return known.parse_args()


def _measured(name: str, scratch: Path, size: int) -> dict[str, Any]:
    (scratch / name).mkdir()
    loaded = _process("load", name, scratch)
    asked = _process("ask", name, scratch)
    return {**loaded, **asked, "rate": size / loaded["seconds"], "disk": _disk(scratch / name)}


def _disk(folder: Path) -> int:
    """What is kept: without a server's log of changes, which grows and shrinks with its settings."""
    files = (path for path in folder.rglob("*") if path.is_file() and "pg_wal" not in path.parts)
    return sum(path.stat().st_size for path in files)


def _process(step: str, name: str, scratch: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.hybrid", "--step", step, "--peer", name]
    command += ["--scratch", str(scratch), "--started", str(time.time())]
    done = subprocess.run(  # noqa: S603 - our own module
        command, env=os.environ | _ONE_THREAD, capture_output=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{name} could not {step}:\n{done.stderr.decode()}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _load(options: argparse.Namespace) -> None:
    made = _unpickled(options.scratch / "corpus")
    peer = opened(options.peer, options.scratch / options.peer, made.vectors.shape[1])
    start = time.perf_counter()
    peer.load(made.batches())
    print(json.dumps({"seconds": time.perf_counter() - start}))


def _ask(options: argparse.Namespace) -> None:
    made = _unpickled(options.scratch / "questions")
    dimensions = made.question_vectors.shape[1]
    peer = opened(options.peer, options.scratch / options.peer, dimensions)
    peer.best(made.questions[0], made.question_vectors[0])
    cold = time.time() - options.started
    times, tops = [], []
    for text, vector in zip(made.questions, made.question_vectors, strict=True):
        start = time.perf_counter()
        tops.append([int(number) for number in peer.best(text, vector)[:TOP]])
        times.append(1_000 * (time.perf_counter() - start))
    print(json.dumps({"cold": cold, "times": times, "tops": tops, "memory": _peak_memory()}))


def _peak_memory() -> float:
    """Of this program alone: what getrusage tells includes the process that started it."""
    status = Path("/proc/self/status")
    if not status.exists():
        return math.nan
    peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return 1_024 * float(peak.split()[1])


def _unpickled(path: Path) -> Corpus:
    made: Corpus = pickle.loads(path.read_bytes())  # noqa: S301 - written by this very run
    return made


_STEPS = {"load": _load, "ask": _ask}


def _table(size: int, measured: dict[str, dict[str, Any]]) -> None:
    print(f"\n{size:,} passages, {len(measured['exact']['times'])} questions\n")
    print(
        "| system | p50 ms | p95 ms | overlap | build s | passages/s | cold s | memory MB | disk MB |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for name, each in measured.items():
        p50, p95 = np.percentile(each["times"], [50, 95])
        overlap = _overlap(each["tops"], measured["exact"]["tops"])
        print(
            f"| {name} | {p50:.1f} | {p95:.1f} | {overlap:.3f} "
            f"| {each['seconds']:,.0f} | {each['rate']:,.0f} "
            f"| {each['cold']:.2f} | {each['memory'] / 1e6:,.0f} | {each['disk'] / 1e6:,.0f} |"
        )
    sys.stdout.flush()


def _overlap(tops: list[list[int]], exact: list[list[int]]) -> float:
    shares = [len({*top} & {*best}) / len(best) for top, best in zip(tops, exact, strict=True)]
    return float(np.mean(shares))


if __name__ == "__main__":
    main()
