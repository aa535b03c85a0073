"""What a store says of itself: how much it holds, and what its examination found. Frozen words."""

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warn", "error"]
LabelKind = Literal["tag", "session", "project"]


@dataclass(frozen=True, slots=True)
class ModelCount:
    """How many passages have a vector of a model."""

    identity: str
    dimensions: int
    embedded: int


@dataclass(frozen=True, slots=True)
class SpaceCount:
    """How much is in a space."""

    space: str
    notes: int
    passages: int


@dataclass(frozen=True, slots=True)
class Counts:
    """`store_bytes` is what the store takes up on its disk; `index_bytes` can be derived again."""

    spaces: tuple[str, ...]
    notes: int
    passages: int
    links_resolved: int
    links_unresolved: int
    models: tuple[ModelCount, ...]
    store_bytes: int
    index_bytes: int


@dataclass(frozen=True, slots=True)
class Label:
    """A tag, session or project, and how many notes bear it."""

    name: str
    notes: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is sound or is not, and the way out."""

    level: Level
    what: str
    way_out: str = ""
