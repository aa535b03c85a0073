"""JSON Lines that `export` wrote in, the same notes in this file out: all of them, or none.

A note that is here already under the same id is replaced; everything else stays. A line that cannot
be read is named by its number, and nothing at all is changed.
"""

import json
import sqlite3
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from types import UnionType
from typing import Any, Final

import numpy as np

from recollect.model.errors import BadInput, RecollectError
from recollect.model.note import Document, Link, Note, Passage
from recollect.retrieve.aliases import alias_key
from recollect.stores.sqlite import SQLiteStore
from recollect.stores.sqlite.clock import note_move
from recollect.stores.sqlite.exporting import FORMAT, VERSION
from recollect.stores.sqlite.listing import listed
from recollect.stores.sqlite.moments import stored
from recollect.stores.sqlite.vector_writer import keep_vectors
from recollect.stores.sqlite.writer import prepared, put_all

Record = Mapping[str, Any]
Numbered = tuple[int, Record]

_TEXTS: Final = ("id", "space", "text", "path", "title", "summary")


def import_lines(opened: SQLiteStore, lines: Iterable[str]) -> Mapping[str, int]:
    """How many of each kind of thing came in."""
    taken: Counter[str] = Counter()
    with opened.connections.writing() as connection:
        for number, kind, record in _checked(lines):
            try:
                _KINDS[kind](connection, record)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise BadInput(f"line {number}", kind, f"cannot be read: {_why(error)}") from error
            taken[kind] += 1
        note_move(connection)
    return dict(taken)


def _checked(lines: Iterable[str]) -> Iterator[tuple[int, str, Record]]:
    """Every record with its line; the header must come first, and the footer last."""
    records = _parsed(lines)
    first, header = next(records, (1, {}))
    if header.get("format") != FORMAT:
        raise BadInput(f"line {first}", dict(header), f"is not the header of a {FORMAT}")
    if header.get("version") != VERSION:
        raise BadInput(
            f"line {first}", header.get("version"), f"is not version {VERSION}; update Recollect"
        )
    count = 0
    for number, record in records:
        if "end" in record:
            _check_end(number, record["end"], count, records)
            return
        kind = next((kind for kind in _KINDS if kind in record), None)
        if kind is None:
            raise BadInput(f"line {number}", list(record), f"is none of {', '.join(_KINDS)}")
        count += 1
        yield number, kind, record
    raise BadInput("export", f"{count} records", "has no last line: the file was cut off")


def _check_end(number: int, said: object, count: int, rest: Iterator[Numbered]) -> None:
    if said != count:
        raise BadInput(f"line {number}", said, f"counts other records than the {count} before it")
    if (more := next(rest, None)) is not None:
        raise BadInput(f"line {more[0]}", list(more[1]), "comes after the last line")


def _parsed(lines: Iterable[str]) -> Iterator[Numbered]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise BadInput(f"line {number}", line, f"is not JSON: {error}") from error
        if not isinstance(record, dict):
            raise BadInput(f"line {number}", record, "is not a JSON object")
        yield number, record


def _take_note(connection: sqlite3.Connection, record: Record) -> None:
    document = _document(record)
    put_all(connection, [prepared(document)])
    usage = record["usage"]
    accessed_at = usage["accessed_at"]
    connection.execute(
        "UPDATE usage SET accessed_at = ?, access_count = ?, exposures = ?"
        " WHERE note = (SELECT row FROM notes WHERE id = ?)",
        (
            stored(datetime.fromisoformat(accessed_at) if accessed_at else None),
            int(usage["access_count"]),
            int(usage["exposures"]),
            document.note.id,
        ),
    )


def _document(record: Record) -> Document:
    fields = dict(record["note"])
    _check_kinds(fields, _TEXTS, str)
    _check_kinds(fields, ("session", "project"), str | None)
    for name in ("created_at", "modified_at"):
        fields[name] = datetime.fromisoformat(fields[name])
    fields["tags"] = tuple(_texts(fields["tags"]))
    fields["links"] = tuple(Link(*_texts((one["target"], one["kind"]))) for one in fields["links"])
    note = Note(**fields)
    passages = tuple(_passage(note.id, each) for each in record["passages"])
    return Document(note, passages, frozenset(_texts(record["traits"])))


def _passage(note_id: str, record: Record) -> Passage:
    _check_kinds(record, ("id", "text", "title"), str)
    _check_kinds(record, ("first_line", "last_line"), int)
    return Passage(**{**record, "note_id": note_id, "heading": tuple(_texts(record["heading"]))})


def _texts(values: Iterable[object]) -> list[str]:
    texts = [value for value in values if isinstance(value, str)]
    if isinstance(values, str) or len(texts) < len(list(values)):
        raise TypeError(f"{values!r} is not a list of texts")
    return texts


def _check_kinds(record: Record, names: Iterable[str], kind: type | UnionType) -> None:
    for name in names:
        if not isinstance(record[name], kind):
            raise TypeError(f"{name} is {record[name]!r}")


def _take_alias(connection: sqlite3.Connection, record: Record) -> None:
    alias = record["alias"]
    connection.execute(
        "INSERT OR REPLACE INTO aliases VALUES (:space, :name,"
        " (SELECT coalesce(max(place), -1) + 1 FROM aliases WHERE space = :space), :others)",
        {
            "space": alias["space"],
            "name": alias_key(alias["name"]),
            "others": listed(alias["others"]),
        },
    )


def _take_session(connection: sqlite3.Connection, record: Record) -> None:
    session = record["session"]
    values = (session["space"], session["session"], session["project"])
    connection.execute("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?)", values)


def _take_setting(connection: sqlite3.Connection, record: Record) -> None:
    setting = record["setting"]
    values = (setting["owner"], setting["name"], json.dumps(setting["value"]))
    connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?, ?)", values)


def _take_file(connection: sqlite3.Connection, record: Record) -> None:
    file = record["file"]
    values = (file["space"], file["path"], file["record"])
    connection.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?)", values)


def _take_vector(connection: sqlite3.Connection, record: Record) -> None:
    vector = record["vector"]
    values = np.frombuffer(b64decode(vector["float32"], validate=True), "<f4")
    keep_vectors(connection, vector["model"], {vector["passage"]: values})


def _why(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error} is missing"
    return str(error) if isinstance(error, RecollectError) else f"{type(error).__name__}: {error}"


_KINDS: Final[Mapping[str, Callable[[sqlite3.Connection, Record], None]]] = {
    "note": _take_note,
    "alias": _take_alias,
    "session": _take_session,
    "setting": _take_setting,
    "file": _take_file,
    "vector": _take_vector,
}
