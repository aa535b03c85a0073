"""A query's words as a tree. A store compiles it; nothing else ever becomes full-text syntax."""

from dataclasses import dataclass
from typing import Final

FIELDS: Final = ("title", "path", "tag", "text")


@dataclass(frozen=True, slots=True)
class Word:
    """A token as `retrieve.words.tokens` makes them; stores match it by its stem."""

    text: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """These words one after the other, in exactly these forms: a quoted word is not stemmed."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prefix:
    text: str


@dataclass(frozen=True, slots=True)
class In:
    """The node must hold within one field of the note."""

    field: str
    node: "Node"


@dataclass(frozen=True, slots=True)
class And:
    nodes: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Or:
    nodes: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Bag:
    """Things said side by side without an operator: the recipe decides whether all or any must hold."""

    nodes: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class But:
    """What `node` finds, less what `unwanted` finds. The only form in which NOT reaches a store."""

    node: "Node"
    unwanted: "Node"


Node = Word | Phrase | Prefix | In | And | Or | Bag | But
