"""JSON Lines that `export` wrote in, records out. Pure.

A line that cannot be read is named by its number; whoever takes the records in takes none then.
"""

import json
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from types import UnionType
from typing import Any, Final

from recollect.model.errors import BadInput, RecollectError
from recollect.model.note import Document, Link, Note, Passage, Session, Usage
from recollect.model.records import (
    OWN,
    Alias,
    FileLine,
    KeptNote,
    KeptVector,
    Kind,
    Record,
    Setting,
)
from recollect.stores.transfer import FORMAT, VERSION

Shape = Mapping[str, Any]
Numbered = tuple[int, Shape]

_TEXTS: Final = ("id", "space", "text", "path", "title", "summary")


def records_of(lines: Iterable[str]) -> Iterator[Record]:
    for number, kind, shape in _checked(lines):
        try:
            record = _READ[kind](shape)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadInput(f"line {number}", kind, f"cannot be read: {_why(error)}") from error
        yield record


def _checked(lines: Iterable[str]) -> Iterator[tuple[int, Kind, Shape]]:
    """Every record with its line; the header must come first, and the footer last."""
    shapes = _parsed(lines)
    first, header = next(shapes, (1, {}))
    if header.get("format") != FORMAT:
        raise BadInput(f"line {first}", dict(header), f"is not the header of a {FORMAT}")
    if header.get("version") != VERSION:
        raise BadInput(
            f"line {first}", header.get("version"), f"is not version {VERSION}; update Recollect"
        )
    count = 0
    for number, shape in shapes:
        if "end" in shape:
            _check_end(number, shape["end"], count, shapes)
            return
        kind = next((kind for kind in _READ if kind in shape), None)
        if kind is None:
            raise BadInput(f"line {number}", list(shape), f"is none of {', '.join(_READ)}")
        count += 1
        yield number, kind, shape
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
            shape = json.loads(line)
        except ValueError as error:
            raise BadInput(f"line {number}", line, f"is not JSON: {error}") from error
        if not isinstance(shape, dict):
            raise BadInput(f"line {number}", shape, "is not a JSON object")
        yield number, shape


def _note(shape: Shape) -> KeptNote:
    fields = dict(shape["note"])
    _check_kinds(fields, _TEXTS, str)
    _check_kinds(fields, ("session", "project"), str | None)
    for name in ("created_at", "modified_at"):
        fields[name] = datetime.fromisoformat(fields[name])
    fields["tags"] = tuple(_texts(fields["tags"]))
    fields["links"] = tuple(Link(*_texts((one["target"], one["kind"]))) for one in fields["links"])
    note = Note(**fields)
    passages = tuple(_passage(note.id, each) for each in shape["passages"])
    traits = frozenset(_texts(shape["traits"]))
    return KeptNote(Document(note, passages, traits), _usage(shape["usage"]))


def _passage(note_id: str, shape: Shape) -> Passage:
    _check_kinds(shape, ("id", "text", "title"), str)
    _check_kinds(shape, ("first_line", "last_line"), int)
    return Passage(**{**shape, "note_id": note_id, "heading": tuple(_texts(shape["heading"]))})


def _usage(shape: Shape) -> Usage:
    at = shape["accessed_at"]
    return Usage(
        datetime.fromisoformat(at) if at else None,
        int(shape["access_count"]),
        int(shape["exposures"]),
    )


def _alias(shape: Shape) -> Alias:
    alias = shape["alias"]
    _check_kinds(alias, ("space", "name"), str)
    return Alias(alias["space"], alias["name"], tuple(_texts(alias["others"])))


def _session(shape: Shape) -> Session:
    session = shape["session"]
    _check_kinds(session, ("space", "session"), str)
    _check_kinds(session, ("project",), str | None)
    return Session(session["space"], session["session"], session["project"])


def _setting(shape: Shape) -> Setting:
    setting = shape["setting"]
    _check_kinds(setting, ("owner", "name"), str)
    if setting["owner"].startswith(OWN):
        raise BadInput("owner", setting["owner"], "is a store's own and comes from no export")
    return Setting(setting["owner"], setting["name"], setting["value"])


def _file(shape: Shape) -> FileLine:
    file = shape["file"]
    _check_kinds(file, ("space", "path", "record"), str)
    return FileLine(file["space"], file["path"], file["record"])


def _vector(shape: Shape) -> KeptVector:
    vector = shape["vector"]
    _check_kinds(vector, ("model", "passage", "float32"), str)
    float32 = b64decode(vector["float32"], validate=True)
    if len(float32) % 4:
        raise ValueError(f"{len(float32)} bytes are not numbers of four bytes each")
    return KeptVector(vector["model"], vector["passage"], float32)


def _texts(values: Iterable[object]) -> list[str]:
    texts = [value for value in values if isinstance(value, str)]
    if isinstance(values, str) or len(texts) < len(list(values)):
        raise TypeError(f"{values!r} is not a list of texts")
    return texts


def _check_kinds(shape: Shape, names: Iterable[str], kind: type | UnionType) -> None:
    for name in names:
        if not isinstance(shape[name], kind):
            raise TypeError(f"{name} is {shape[name]!r}")


def _why(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error} is missing"
    return str(error) if isinstance(error, RecollectError) else f"{type(error).__name__}: {error}"


_READ: Final[Mapping[Kind, Callable[[Shape], Record]]] = {
    "note": _note,
    "alias": _alias,
    "session": _session,
    "setting": _setting,
    "file": _file,
    "vector": _vector,
}
