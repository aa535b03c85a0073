"""Other names for the same thing, woven into a query's tree. Pure.

`{"k8s": ("kubernetes",)}` makes `k8s upgrade` also find `kubernetes upgrade`.
"""

from collections.abc import Mapping

from recollect.model.tree import And, Bag, But, In, Node, Or, Phrase, Prefix, Word
from recollect.retrieve.words import tokens

_Table = Mapping[tuple[str, ...], tuple[Node, ...]]


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
