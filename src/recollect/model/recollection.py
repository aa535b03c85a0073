"""What a session of an agent was told: the memories, the topic, and all it was given before. Frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory as it is handed over, with the reasons it stands here."""

    id: str
    text: str
    created_at: datetime
    importance: float
    score: float
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Topic:
    """The prompt that was answered last, as one model sees it."""

    model: str
    vector: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Late:
    """What was found too late to be said, and which memories it holds; the next answer that is late
    may say it instead."""

    text: str
    given: Mapping[str, str]
    said: bool = False
    """Whether it was said since; then its memories are given, and still to be counted as shown."""


class Handed(NamedTuple):
    """What came of handing memories over: which of them were in the text, and whether it arrived."""

    ids: tuple[str, ...] = ()
    text: str = ""
    arrived: bool = True


@dataclass(frozen=True, slots=True)
class Recollection:
    """The best memories for a session's last prompt.

    `given` is everything that has really reached the session so far, each with a digest of its text, so
    that nothing is handed over twice unless it changed; `news` are the memories that were new this time.
    """

    session: str
    at: datetime
    memories: tuple[Memory, ...] = ()
    news: tuple[str, ...] = ()
    topic: Topic | None = None
    """Of the last prompt that an answer has reached."""
    given: Mapping[str, str] = field(default_factory=dict)
    late: Late | None = None

    def fresh(self) -> tuple[Memory, ...]:
        return tuple(memory for memory in self.memories if memory.id in self.news)
