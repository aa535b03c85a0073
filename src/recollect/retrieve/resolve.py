"""A tree with bags in, a tree without out: a recipe says whether words side by side must all be there. Pure."""

from collections.abc import Iterator
from typing import Literal

from recollect.model.tree import And, Bag, But, In, Node, Or, Phrase, Prefix, Word

Match = Literal["any", "all"]


def resolve(node: Node, match: Match) -> Node:
    """Every bag becomes an AND or an OR; all else stays as it was written.

    What was marked on purpose, a quoted phrase or a field, must be there even where any word will do.
    """
    match node:
        case Bag(nodes):
            inner = tuple(resolve(child, match) for child in nodes)
            if match == "all":
                return inner[0] if len(inner) == 1 else And(inner)
            marked = tuple(child for child in inner if _is_marked(child))
            loose = tuple(child for child in inner if not _is_marked(child))
            return _both(marked, loose)
        case And(nodes):
            return And(tuple(resolve(child, match) for child in nodes))
        case Or(nodes):
            return Or(tuple(resolve(child, match) for child in nodes))
        case In(field, child):
            return In(field, resolve(child, match))
        case But(wanted, unwanted):
            # what is unwanted is unwanted wherever any of its words stand together as asked
            return But(resolve(wanted, match), resolve(unwanted, "all"))
        case Word() | Phrase() | Prefix():
            return node


def loosened(node: Node) -> Node:
    """A phrase that stands beside other words as its words alone: prose quotes what no note says."""
    match node:
        case Bag(nodes) if not all(map(_is_marked, nodes)):
            apart = (_apart(child) for child in nodes)
            return Bag(tuple(dict.fromkeys(word for words in apart for word in words)))
        case But(wanted, unwanted):
            return But(loosened(wanted), unwanted)
        case _:
            return node


def _apart(node: Node) -> tuple[Node, ...]:
    return tuple(map(Word, node.words)) if isinstance(node, Phrase) else (node,)


def _is_marked(node: Node) -> bool:
    """A phrase or field, also one that stands beside its other names."""
    if isinstance(node, Or):
        return all(map(_is_marked, node.nodes))
    return isinstance(node, Phrase | In)


def _both(marked: tuple[Node, ...], loose: tuple[Node, ...]) -> Node:
    needed = marked if not loose else (*marked, loose[0] if len(loose) == 1 else Or(loose))
    return needed[0] if len(needed) == 1 else And(needed)


def words_of(node: Node) -> tuple[str, ...]:
    """The words a result should be shown to match, in the order they were asked; unwanted ones left out."""
    found = (
        word for leaf in _leaves(node) if not isinstance(leaf, Prefix) for word in _words(leaf)
    )
    return tuple(dict.fromkeys(found))


def prefixes_of(node: Node) -> tuple[str, ...]:
    """The beginnings of words that were asked for, likewise."""
    found = (leaf.text for leaf in _leaves(node) if isinstance(leaf, Prefix))
    return tuple(dict.fromkeys(found))


def _leaves(node: Node) -> Iterator[Word | Phrase | Prefix]:
    match node:
        case Word() | Phrase() | Prefix():
            yield node
        case In(_, child) | But(child, _):
            yield from _leaves(child)
        case And(nodes) | Or(nodes) | Bag(nodes):
            for child in nodes:
                yield from _leaves(child)


def _words(leaf: Word | Phrase) -> tuple[str, ...]:
    return leaf.words if isinstance(leaf, Phrase) else (leaf.text,)
