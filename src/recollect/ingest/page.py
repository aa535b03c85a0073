"""What a file says, whatever format it is in: the words every reader of a format speaks. Frozen."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Mention:
    """A link as it is written. Where a bar divides it, both sides are kept: styles differ on which
    of them is the target."""

    target: str
    label: str = ""
    kind: str = "link"


@dataclass(frozen=True, slots=True)
class Heading:
    """`line` counts the lines of the page's text from 0."""

    level: int
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Page:
    """One file, read. `lines[i]` is the file's line on which the i-th line of the text stands."""

    title: str
    text: str
    lines: Sequence[int]
    headings: tuple[Heading, ...] = ()
    code: tuple[tuple[int, int], ...] = ()
    """First and last line of each block of code, counted like a heading's line."""
    mentions: tuple[Mention, ...] = ()
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    summary: str = ""
    created_at: datetime | None = None
    modified_at: datetime | None = None
    importance: float | None = None
    warnings: tuple[str, ...] = ()
