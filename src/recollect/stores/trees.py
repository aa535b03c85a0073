"""A query's tree, as every store reads it: what is scored, and whether any word of it is enough. Pure."""

from collections.abc import Iterator

from recollect.model.errors import BadInput
from recollect.model.tree import FIELDS, And, Bag, But, In, Node, Or, Phrase, Prefix, Word

Leaf = Word | Phrase | Prefix
Wanted = tuple[Leaf, str | None]
"""A leaf, and the field it must be in."""


def leaves(node: Node, field: str | None = None) -> list[Wanted]:
    """What a passage is scored by: everything that is wanted, each with the field it must be in."""
    match node:
        case Word() | Phrase() | Prefix():
            return [(node, field)]
        case In(name, child):
            return leaves(child, checked_field(name))
        case But(wanted, _):
            return leaves(wanted, field)
        case And(nodes) | Or(nodes) | Bag(nodes):
            return [leaf for child in nodes for leaf in leaves(child, field)]


def bag_of_words(node: Node) -> list[str] | None:
    """The words of a query that any one of them satisfies; None for any other query."""
    words = list(_loose_words(node))
    return [word for word in words if word is not None] if None not in words else None


def checked_field(name: str) -> str:
    if name not in FIELDS:
        raise BadInput("field", name, f"is not one of {', '.join(FIELDS)}")
    return name


def _loose_words(node: Node) -> Iterator[str | None]:
    match node:
        case Word(text):
            yield text
        case Or(nodes) | Bag(nodes):
            for child in nodes:
                yield from _loose_words(child)
        case _:
            yield None
