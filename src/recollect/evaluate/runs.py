"""A run is what a system answered to every question, best first. TREC run files in and out."""

import gzip
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from recollect.model.errors import BadInput


class Found(NamedTuple):
    note_id: str
    score: float


@dataclass(frozen=True, slots=True)
class Run:
    """The order is the tuples' own: a tie was broken by whoever made the run."""

    name: str
    answers: Mapping[str, tuple[Found, ...]]

    def cut(self, depth: int) -> "Run":
        return Run(self.name, {question: own[:depth] for question, own in self.answers.items()})


def read_run(path: Path) -> Run:
    """`question Q0 note rank score name`. The score decides and the rank is ignored, as in
    trec_eval; equal scores by the note's id, the last first, as there too."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise BadInput("run", str(path), f"cannot be read: {error.strerror}") from error
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    answers: dict[str, list[Found]] = defaultdict(list)
    name = path.name.removesuffix(".gz")
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            question, _, note, _, score, name = line.split()
            answers[question].append(Found(note, float(score)))
        except ValueError as error:
            raise BadInput(f"{path}:{number}", line, "is no line of a TREC run") from error
    return Run(name, {question: _as_trec(own) for question, own in answers.items()})


def write_run(run: Run, path: Path) -> None:
    text = "".join(f"{line}\n" for line in trec_lines(run))
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def trec_lines(run: Run) -> Iterator[str]:
    """Readers go by the score alone, so where scores tie or rise they are lowered until they
    spell the order."""
    name = "".join(run.name.split()) or "run"
    for question, own in run.answers.items():
        for rank, (note, score) in enumerate(_falling(own), start=1):
            yield f"{question} Q0 {note} {rank} {score!r} {name}"


def _falling(found: Iterable[Found]) -> Iterator[Found]:
    least = np.float32(np.inf)
    for note, score in found:
        single = np.float32(score)
        least = single if single < least else np.nextafter(least, np.float32(-np.inf))
        yield Found(note, float(least))


def _as_trec(found: list[Found]) -> tuple[Found, ...]:
    # trec_eval keeps scores in single precision: what differs less than that is a tie to it
    by_id = sorted(found, key=lambda one: one.note_id, reverse=True)
    return tuple(sorted(by_id, key=lambda one: -np.float32(one.score)))
