"""Passages that match in, the best of them by BM25 out. The server scores all, we score the best again."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from recollect.model.query import Scope
from recollect.model.ranking import Hit
from recollect.stores.fields import BM25_B, BM25_K1, FIELD_WEIGHTS
from recollect.stores.hits import in_order
from recollect.stores.postgres.bm25 import Collection, Told, score
from recollect.stores.postgres.connections import Connection
from recollect.stores.postgres.lexemes import LABELS, leaf_expression
from recollect.stores.postgres.scope import narrows, where

_HALF: Final = 0.5  # ts_rank_cd takes no weight above 1, and the title's is 2
_BY_LABEL: Final = {label: FIELD_WEIGHTS[name] * _HALF for name, label in LABELS.items()}
_WEIGHTS: Final = "'{" + ", ".join(f"{_BY_LABEL[label]}" for label in "DCBA") + "}'"
_SPARE: Final = 16  # more than rounding can set apart at the end of the list


class Group(NamedTuple):
    """The spaces of one language, and what a query is scored by there."""

    scope: Scope
    spaces: list[str]
    language: str
    collection: Collection
    told: Sequence[Told]


class Statement(NamedTuple):
    text: str
    parameters: tuple[Any, ...]


def ranked(connection: Connection, group: Group, matching: str, depth: int) -> list[Hit]:
    statement = ranking(group, matching, depth + _SPARE)
    return rescored(group, connection.execute(*statement).fetchall())[:depth]


def rescored(group: Group, rows: Sequence[tuple[Any, ...]]) -> list[Hit]:
    hits = []
    for note, passage, length, *halves in rows:
        frequencies = [half / _HALF for half in halves]
        damping = group.collection.damping(length)
        hits.append(Hit(note, score(group.told, frequencies, damping), passage))
    return in_order(hits)


def ranking(group: Group, matching: str, count: int) -> Statement:
    tables, condition, seen = _visible(group)
    text = (
        f"SELECT c.note, c.id, c.length, {_columns(group, 'c.f#')} FROM ("
        f"SELECT w.note, w.id, w.length, %s * (%s + %s * w.length) AS damping,"
        f" {_columns(group, f'ts_rank_cd({_WEIGHTS}, w.words, %s::tsquery)::float8 AS f#')}"
        f" FROM {tables} WHERE {condition} AND w.words @@ %s::tsquery OFFSET 0"
        f") c ORDER BY {_sum(group)} DESC, c.id LIMIT %s"
    )
    expressions = [leaf_expression(leaf, group.language, field) for (leaf, field), *_ in group.told]
    weights = [one.times * one.rarity for one in group.told]
    return Statement(text, (*_damping(group), *expressions, *seen, matching, *weights, count))


def _visible(group: Group) -> tuple[str, str, tuple[Any, ...]]:
    if not narrows(group.scope):
        return "words w", "w.space = ANY(%s::text[])", (group.spaces,)
    seen = where(group.scope, group.spaces)
    tables = "words w JOIN notes n ON n.space = w.space AND n.id = w.note"
    condition = f"w.space = ANY(%s::text[]) AND {seen.condition}"
    return tables, condition, (group.spaces, *seen.parameters)


def _damping(group: Group) -> tuple[float, float, float]:
    average = group.collection.average
    by_length = BM25_B / average if average else 0.0
    return BM25_K1 * _HALF, 1 - BM25_B if average else 1.0, by_length


def _columns(group: Group, shape: str) -> str:
    """The shape once for each leaf, `#` being its number."""
    return ", ".join(shape.replace("#", str(at)) for at in range(len(group.told)))


def _sum(group: Group) -> str:
    return " + ".join(f"%s * c.f{at} / (c.f{at} + c.damping)" for at in range(len(group.told)))
