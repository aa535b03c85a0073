"""What is known: notes, their passages, their links. Frozen words, no behaviour beyond naming."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from recollect.model.errors import BadInput

LEVELS: Final[Mapping[str, float]] = {"low": 0.25, "medium": 0.5, "high": 0.75}
"""Importance by name. Seed 000 speaks in levels, seed 001 in 0..1: a level is a point on that line."""


def importance_of(value: object) -> float:
    """A number from 0 to 1, or one of the three levels."""
    if isinstance(value, str) and value in LEVELS:
        return LEVELS[value]
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    raise BadInput("importance", value, "is neither a number from 0 to 1 nor low, medium or high")


def is_high(importance: float) -> bool:
    return importance >= LEVELS["high"]


@dataclass(frozen=True, slots=True)
class Link:
    """An arrow from the note that holds it. `target` is the id of the note it means, once known."""

    target: str
    kind: str = "see-also"


@dataclass(frozen=True, slots=True)
class Note:
    """One thing known: a vault page, a memory, an episode."""

    id: str
    space: str
    text: str
    created_at: datetime
    modified_at: datetime
    path: str = ""
    title: str = ""
    summary: str = ""
    importance: float = LEVELS["medium"]
    session: str | None = None
    project: str | None = None
    tags: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()

    def __post_init__(self) -> None:
        if not self.id or not self.space:
            raise BadInput("note", self.id, "needs an id and a space")
        importance_of(self.importance)
        for name in ("created_at", "modified_at"):
            if getattr(self, name).tzinfo is None:
                raise BadInput(name, getattr(self, name), "needs a time zone")


@dataclass(frozen=True, slots=True)
class Passage:
    """The piece of a note that is embedded and matched; it knows where in the note it stands."""

    id: str
    note_id: str
    text: str
    title: str = ""
    """The note's title: a passage is embedded under it, so that a new title means a new vector."""
    heading: tuple[str, ...] = ()
    first_line: int = 1
    last_line: int = 1


@dataclass(frozen=True, slots=True)
class Document:
    """A note made ready for a store: cut into passages, its traits read off once.

    `traits` has no default on purpose: a note stored without them would be ranked wrongly
    by intent, and nobody would see it.
    """

    note: Note
    passages: tuple[Passage, ...]
    traits: frozenset[str]


@dataclass(frozen=True, slots=True)
class Usage:
    """How often a note was shown and how often it was really read or used. They are not the same."""

    accessed_at: datetime | None = None
    access_count: int = 0
    exposures: int = 0


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation, and the project it is in now."""

    space: str
    id: str
    project: str | None = None


EXCERPT: Final = 280  # seed 002: what a judge is shown of a note that has neither title nor summary


@dataclass(frozen=True, slots=True)
class Facts:
    """What a store knows of a note that may move it up or down, read once per query."""

    note_id: str
    path: str
    title: str
    summary: str
    excerpt: str
    created_at: datetime
    modified_at: datetime
    importance: float
    space: str = ""
    session: str | None = None
    tags: tuple[str, ...] = ()
    traits: frozenset[str] = frozenset()
    backlinks: int = 0
    superseded: bool = False
    usage: Usage = field(default=Usage())
    lead_passage: str = ""
    """The note's first passage: what is shown when only a link or a date brought the note in."""
