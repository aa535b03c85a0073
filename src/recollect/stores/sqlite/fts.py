"""A query's tree in, an FTS5 expression out. Pure; no tree becomes an error of syntax.

Every word is quoted, so nothing a person types can be read as an operator. A field is written at
each word it holds for. Of a group's parts the deepest comes first: FTS5's parser then keeps one
symbol for each bracket that is open, instead of three.
"""

import re
from typing import Final

from recollect.model.tree import And, Bag, But, In, Node, Or, Phrase, Prefix, Word
from recollect.retrieve.words import stem
from recollect.stores.fields import FIELD_WEIGHTS
from recollect.stores.trees import Leaf, checked_field

PARSER_ROOM: Final = 90  # symbols; FTS5's parser is built to hold 100
_TOKEN: Final = re.compile("[a-z0-9\u0080-\ud7ff\ue000-\U0010ffff]+")
_NEVER: Final = '"\u00a0"'  # no token holds a space of any kind, and this one does not separate
_EXACT: Final = tuple(FIELD_WEIGHTS)


def expression(node: Node, field: str | None = None) -> str:
    match node:
        case Word() | Phrase() | Prefix():
            return _leaf(node, field)
        case In(name, child):
            return expression(child, checked_field(name))
        case But(wanted, unwanted):
            return f"{_inner(wanted, field)} NOT {_inner(unwanted, field)}"
        case And(nodes):
            return " AND ".join(_inner(child, field) for child in _deepest_first(nodes))
        case Or(nodes) | Bag(nodes):
            return " OR ".join(_inner(child, field) for child in _deepest_first(nodes))


def fits(node: Node) -> bool:
    """Whether FTS5 can read this tree in one piece."""
    return _room(node) <= PARSER_ROOM


def _leaf(leaf: Leaf, field: str | None) -> str:
    match leaf:
        case Word(text):
            return _word(text, field)
        case Phrase((only,)) if not only.isascii():  # its own stem, or a single character
            return _word(only, field)
        case Phrase(words):
            return f"{_columns(_exact(field))} : {_quoted(*words)}"
        case Prefix(text):
            return f"{_columns(_exact(field))} : {_quoted(text)} *"


def _word(text: str, field: str | None) -> str:
    """By its stem. A token is its own stem unless it has another, which is then in `_stems`."""
    wanted = stem(text)
    quoted = _quoted(wanted)
    stems = tuple(f"{name}_stems" for name in _exact(field))
    if stem(wanted) != wanted:  # the token `wanted` itself has another stem and must not match
        return f"{_columns(stems)} : {quoted}"
    return quoted if field is None else f"{_columns((field, *stems))} : {quoted}"


def _exact(field: str | None) -> tuple[str, ...]:
    return _EXACT if field is None else (field,)


def _columns(names: tuple[str, ...]) -> str:
    return "{" + " ".join(names) + "}"


def _quoted(*words: str) -> str:
    if words and all(_TOKEN.fullmatch(word) for word in words):
        return f'"{" ".join(words)}"'
    return _NEVER


def _inner(node: Node, field: str | None) -> str:
    return f"({expression(node, field)})" if _is_group(node) else expression(node, field)


def _is_group(node: Node) -> bool:
    return _is_group(node.node) if isinstance(node, In) else isinstance(node, And | Or | Bag | But)


def _deepest_first(nodes: tuple[Node, ...]) -> list[Node]:
    return sorted(nodes, key=_room, reverse=True)


def _room(node: Node) -> int:
    """How many symbols FTS5's parser must keep at once to read this node."""
    match node:
        case Word() | Phrase() | Prefix():
            return 12  # brackets, columns, colon, string, asterisk
        case In(_, child):
            return _room(child)
        case But(wanted, unwanted):
            return max(1 + _room(wanted), 3 + _room(unwanted))
        case And(nodes) | Or(nodes) | Bag(nodes):
            first, *rest = sorted(map(_room, nodes), reverse=True)
            return max([1 + first, *(3 + room for room in rest)])
