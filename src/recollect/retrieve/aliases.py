"""Other names for the same thing, woven into a query's tree. Pure.

`{"k8s": ("kubernetes",)}` makes `k8s upgrade` also find `kubernetes upgrade`. A name is known by its
tokens, so that a store can look up the few names in a query among however many it keeps.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from recollect.model.tree import And, Bag, But, In, Node, Or, Phrase, Prefix, Word
from recollect.retrieve.parse import MAX_WORDS
from recollect.retrieve.words import tokens

LONGEST_NAME: Final = 6
"""In tokens: longer names are not looked for in a query."""

_Table = Mapping[tuple[str, ...], tuple[Node, ...]]


def alias_key(name: str) -> str:
    """How a name is kept and looked up: its tokens, joined by spaces."""
    return " ".join(tokens(name))


def by_key(aliases: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """As a store keeps them: names that are written differently and read alike are one name."""
    kept: dict[str, tuple[str, ...]] = {}
    for name, others in aliases.items():
        if key := alias_key(name):
            kept[key] = tuple(dict.fromkeys((*kept.get(key, ()), *others)))
    return kept


def names_in(wording: str) -> tuple[str, ...]:
    """Every run of a few words of a query that may be a name, as it would be looked up."""
    words = tokens(wording)[:MAX_WORDS]
    runs = (
        " ".join(words[at : at + length])
        for length in range(1, LONGEST_NAME + 1)
        for at in range(len(words) - length + 1)
    )
    return tuple(dict.fromkeys(runs))


def expand_aliases(tree: Node, aliases: Mapping[str, tuple[str, ...]]) -> Node:
    table = {
        tuple(tokens(name)): tuple(Phrase(tuple(words)) for o in others if (words := tokens(o)))
        for name, others in aliases.items()
        if tokens(name)
    }
    return _expand(tree, table) if table else tree


def _expand(node: Node, table: _Table) -> Node:
    match node:
        case Word(text):
            return _with_others(node, table.get((text,), ()))
        case Phrase(words):
            return _with_others(node, table.get(words, ()))
        case Prefix():
            return node
        case In(field, inner):
            return In(field, _expand(inner, table))
        case And(nodes):
            return And(tuple(_expand(inner, table) for inner in nodes))
        case Or(nodes):
            return Or(tuple(_expand(inner, table) for inner in nodes))
        case But(wanted, unwanted):
            return But(_expand(wanted, table), unwanted)
        case Bag(nodes):
            return Bag(_expand_run(nodes, table))


def _expand_run(nodes: tuple[Node, ...], table: _Table) -> tuple[Node, ...]:
    """Neighbouring words may be a name together: the longest such name wins."""
    longest = max(len(name) for name in table)
    out: list[Node] = []
    at = 0
    while at < len(nodes):
        for length in range(min(longest, len(nodes) - at), 1, -1):
            run = nodes[at : at + length]
            name = tuple(node.text for node in run if isinstance(node, Word))
            if len(name) == length and name in table:
                out.append(_with_others(Bag(run), table[name]))
                at += length
                break
        else:
            out.append(_expand(nodes[at], table))
            at += 1
    return tuple(out)


def _with_others(node: Node, others: tuple[Node, ...]) -> Node:
    return Or((node, *others)) if others else node
