"""Everything a person put in, one value for each thing, the same whatever store keeps it. Frozen.

Export, import and migration move these; what can be derived from them is not among them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, get_args

from recollect.model.note import Document, Session, Usage

Kind = Literal["note", "alias", "session", "setting", "file", "vector"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""In an order in which they can be taken in: a vector needs its passage."""

Key = tuple[str, ...]
"""Names one record among those of its kind. Keys are ordered as Python orders them: by code point."""

OWN: Final = "~"
"""Settings whose owner begins so, and vectors of a model whose identity does, are bookkeeping of one
store, and no part of what moves to another."""


@dataclass(frozen=True, slots=True)
class KeptNote:
    document: Document
    usage: Usage


@dataclass(frozen=True, slots=True)
class Alias:
    space: str
    name: str
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    owner: str
    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class FileLine:
    """What is remembered of a file, as the vault wrote it."""

    space: str
    path: str
    line: str


@dataclass(frozen=True, slots=True)
class KeptVector:
    """An embedding as its bytes, little-endian float32."""

    model: str
    passage_id: str
    float32: bytes


Record = KeptNote | Alias | Session | Setting | FileLine | KeptVector


class Page(NamedTuple):
    """Some records of one kind, by key, and how far they reach; None: there are no more."""

    records: Sequence[Record]
    reached: Key | None


_KINDS: Final[dict[type, Kind]] = {
    KeptNote: "note",
    Alias: "alias",
    Session: "session",
    Setting: "setting",
    FileLine: "file",
    KeptVector: "vector",
}


def is_own(record: Record) -> bool:
    """Whether it is bookkeeping of the store it comes from."""
    match record:
        case Setting(owner=name) | KeptVector(model=name):
            return name.startswith(OWN)
        case _:
            return False


def kind_of(record: Record) -> Kind:
    return _KINDS[type(record)]


def key_of(record: Record) -> Key:
    match record:
        case KeptNote(document=document):
            return (document.note.id,)
        case Alias(space=space, name=name):
            return (space, name)
        case Session(space=space, id=session):
            return (space, session)
        case Setting(owner=owner, name=name):
            return (owner, name)
        case FileLine(space=space, path=path):
            return (space, path)
        case KeptVector(model=model, passage_id=passage_id):
            return (model, passage_id)
