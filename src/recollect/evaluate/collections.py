"""A folder in BEIR layout in; notes, questions and judgments out.

`corpus.jsonl`, `queries.jsonl` and `qrels/*.tsv`, each also with `.gz`. Where they are there: `conv`
of a row is the scope its questions see, `category` of a question its stratum, `links.tsv` the links
between notes and `dates.tsv` their dates.
"""

import gzip
import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from recollect.evaluate.moments import UNDATED, moment_of
from recollect.model.errors import BadInput, NotFound
from recollect.model.note import Link, Note, Passage
from recollect.model.query import Scope

SPACE: Final = "collection"
ALL: Final = "all"
"""The stratum of a question that names none."""

CITATION: Final = "5"
"""The kind of a link, in a file that has kinds, that is a link as people make them (SMART's .X)."""

Judgments = Mapping[str, Mapping[str, int]]
"""For each question, by note, how relevant: 0 is judged and not relevant."""


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    text: str
    conversation: str | None = None
    stratum: str = ALL
    asked_at: datetime | None = None
    space: str = SPACE
    hidden: frozenset[str] = frozenset()
    """Notes this question may not be answered with: the one it was taken from, for instance."""

    def scope(self) -> Scope:
        within = None if self.conversation is None else [self.conversation]
        return Scope.of(self.space, projects=within, excluded=self.hidden)


@dataclass(frozen=True, slots=True)
class Collection:
    name: str
    notes: tuple[Note, ...]
    questions: tuple[Question, ...]
    """Those with something relevant to find."""
    judgments: Judgments
    unanswerable: tuple[Question, ...] = ()
    """Those that nothing in the collection answers."""
    fingerprint: str = field(default="", compare=False)
    passages: Mapping[str, tuple[Passage, ...]] = field(default_factory=dict)
    """Of the notes that are cut into several; any other is its own single passage."""

    def strata(self) -> dict[str, str]:
        return {question.id: question.stratum for question in self.questions}

    def now(self) -> datetime:
        """The day after the newest note: questions without a date of their own are asked then."""
        return max((note.created_at for note in self.notes), default=UNDATED) + timedelta(days=1)


def read_collection(place: str | Path, qrels: str = "test") -> Collection:
    """From a folder, or by its name in the folder that RECOLLECT_DATA names."""
    folder = folder_of(place)
    judgments = _judgments(_file(folder / "qrels", f"{qrels}.tsv"))
    notes = tuple(_notes(folder))
    asked = [_question(row) for row in _rows(_file(folder, "queries.jsonl"))]
    answerable = {key for key, own in judgments.items() if any(gain > 0 for gain in own.values())}
    return Collection(
        name=folder.name,
        notes=notes,
        questions=tuple(one for one in asked if one.id in answerable),
        judgments={key: own for key, own in judgments.items() if key in answerable},
        unanswerable=tuple(one for one in asked if one.id not in answerable),
        fingerprint=fingerprint_of(notes),
    )


def folder_of(place: str | Path) -> Path:
    data = os.environ.get("RECOLLECT_DATA")
    for folder in (Path(place).expanduser(), *([Path(data, place)] if data else [])):
        if is_collection(folder):
            return folder
    raise BadInput(
        "collection",
        str(place),
        "is no folder with corpus.jsonl, queries.jsonl and qrels/; name one, or set RECOLLECT_DATA",
    )


def collections_in(folder: Path) -> list[Path]:
    """Every collection directly below a folder, by name."""
    if not folder.is_dir():
        raise NotFound("folder", str(folder))
    return sorted(one for one in folder.iterdir() if is_collection(one))


def is_collection(folder: Path) -> bool:
    names = ("corpus.jsonl", "corpus.jsonl.gz")
    return (folder / "qrels").is_dir() and any((folder / name).is_file() for name in names)


def fingerprint_of(notes: tuple[Note, ...]) -> str:
    """The same notes give the same text, other notes another: what an index is cached by."""
    digest = hashlib.blake2b(digest_size=8)
    for note in notes:
        links = [link.target for link in note.links]
        parts = (note.id, note.title, note.text, note.path, note.project, note.summary, links)
        digest.update(note.created_at.isoformat().encode())
        digest.update(json.dumps(parts).encode())
    return digest.hexdigest()


def _notes(folder: Path) -> Iterator[Note]:
    links, dates = _links(folder / "links.tsv"), _dates(folder / "dates.tsv")
    for row in _rows(_file(folder, "corpus.jsonl")):
        key = str(row["_id"])
        moment = moment_of(str(row.get("timestamp", ""))) or dates.get(key) or UNDATED
        yield Note(
            id=key,
            space=SPACE,
            text=row.get("text") or "",
            title=row.get("title") or "",
            created_at=moment,
            modified_at=moment,
            session=row.get("session"),
            project=row.get("conv"),
            links=tuple(Link(target) for target in links.get(key, ())),
        )


def _question(row: Mapping[str, Any]) -> Question:
    stratum = row.get("category")
    return Question(
        id=str(row["_id"]),
        text=row["text"],
        conversation=row.get("conv"),
        stratum=ALL if stratum is None else str(stratum),
        asked_at=moment_of(str(row.get("timestamp", ""))),
    )


def _judgments(path: Path) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for line in _lines(path)[1:]:
        question, note, gain = line.split("\t")
        found[question][note] = int(float(gain))
    return dict(found)


def _links(path: Path) -> Mapping[str, list[str]]:
    """Two columns are source and target; of three the middle one is the kind."""
    found: dict[str, list[str]] = defaultdict(list)
    for line in _lines(path) if path.is_file() else ():
        source, *kind, target = line.split("\t")
        if source != target and kind in ([], [CITATION]):
            found[source].append(target)
    return found


def _dates(path: Path) -> Mapping[str, datetime]:
    pairs = [line.split("\t", 1) for line in (_lines(path) if path.is_file() else ())]
    read = {key: moment_of(text) for key, text in pairs}
    return {key: moment for key, moment in read.items() if moment is not None}


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(_lines(path), start=1):
        try:
            yield json.loads(line)
        except ValueError as error:
            raise BadInput(str(path), line, f"is not JSON, in line {number}") from error


def _lines(path: Path) -> list[str]:
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    return [line for line in text.split("\n") if line.strip()]


def _file(folder: Path, name: str) -> Path:
    for path in (folder / name, folder / f"{name}.gz"):
        if path.is_file():
            return path
    raise NotFound("file", name, (one.name for one in folder.iterdir()))
