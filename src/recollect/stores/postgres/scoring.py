"""Passages that match in, the best of them by BM25 out. The server scores all, we score the best again."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from recollect.model.query import Scope
from recollect.model.ranking import Hit
from recollect.stores.fields import BM25_B, BM25_K1, FIELD_WEIGHTS
from recollect.stores.hits import in_order
from recollect.stores.postgres.bm25 import Collection, Told, score
from recollect.stores.postgres.connections import Connection
from recollect.stores.postgres.lexemes import LABELS, leaf_expression
from recollect.stores.postgres.pruning import ROUNDING, Reach
from recollect.stores.postgres.scope import narrows, where

# ts_rank_cd takes no weight above 1; a power of two divides without rounding
_SCALE: Final = 2.0 ** -math.ceil(math.log2(max(FIELD_WEIGHTS.values())))
_BY_LABEL: Final = {label: FIELD_WEIGHTS[name] * _SCALE for name, label in LABELS.items()}
_WEIGHTS: Final = "'{" + ", ".join(f"{_BY_LABEL[label]}" for label in "DCBA") + "}'"
_FETCHED: Final = (
    "CASE WHEN pg_column_size(w.words) < 6000 THEN w.words ELSE ts_filter(w.words, '{a,b,c,d}') END"
)
"""All of it. A long one is kept apart from its row, and would be fetched for every word looked up in it."""
SPARE: Final = 16  # more than rounding can set apart at the end of the list


class Group(NamedTuple):
    """The spaces of one language, and what a query is scored by there."""

    scope: Scope
    spaces: list[str]
    language: str
    collection: Collection
    told: Sequence[Told]


class Chosen(NamedTuple):
    """Which passages are scored: words `w`, and a note `n` where the scope asks for it."""

    tables: str
    condition: str
    parameters: tuple[Any, ...]

    def also(self, condition: str, *parameters: Any) -> "Chosen":
        both = f"{self.condition} AND {condition}"
        return Chosen(self.tables, both, (*self.parameters, *parameters))


class Statement(NamedTuple):
    text: str
    parameters: tuple[Any, ...]


def ranked(
    connection: Connection, group: Group, matching: str, depth: int, reach: Reach | None = None
) -> list[Hit]:
    """The best of the passages that match, and that could reach a score if there is one to reach."""
    chosen = visible(group).also("w.words @@ %s::tsquery", matching)
    statement = ranking(group, chosen, depth + SPARE, reach)
    return rescored(group, connection.execute(*statement).fetchall())[:depth]


def scored(connection: Connection, group: Group, ids: Mapping[str, list[str]]) -> list[Hit]:
    """These passages, by space."""
    hits: list[Hit] = []
    for space, own in ids.items():
        chosen = Chosen("words w", "w.space = %s AND w.id = ANY(%s::text[])", (space, own))
        hits += rescored(group, connection.execute(*ranking(group, chosen, len(own))).fetchall())
    return in_order(hits)


def rescored(group: Group, rows: Sequence[tuple[Any, ...]]) -> list[Hit]:
    hits = []
    for note, passage, length, *scaled in rows:
        frequencies = [one / _SCALE for one in scaled]
        damping = group.collection.damping(length)
        hits.append(Hit(note, score(group.told, frequencies, damping), passage))
    return in_order(hits)


def ranking(group: Group, chosen: Chosen, count: int, reach: Reach | None = None) -> Statement:
    """Read, then sifted, then scored: each step has fewer rows and costs more for each."""
    condition, bounds = _within(reach) if reach and reach.least else ("true", [])
    text = (
        f"SELECT c.note, c.id, c.length, {_columns(group, 'c.f#')} FROM ("
        f"SELECT w.note, w.id, w.length, %s * (%s + %s * w.length) AS damping,"
        f" {_columns(group, f'ts_rank_cd({_WEIGHTS}, w.words, %s::tsquery)::float8 AS f#')}"
        f" FROM (SELECT w.note, w.id, w.length, {_FETCHED} AS words"
        f" FROM {chosen.tables} WHERE {chosen.condition} OFFSET 0) w WHERE {condition} OFFSET 0"
        f") c ORDER BY {_sum(group)} DESC, c.id LIMIT %s"
    )
    expressions = [leaf_expression(leaf, group.language, field) for (leaf, field), *_ in group.told]
    weights = [one.times * one.rarity for one in group.told]
    given = (*_damping(group), *expressions, *chosen.parameters, *bounds, *weights, count)
    return Statement(text, given)


def visible(group: Group) -> Chosen:
    if not narrows(group.scope):
        return Chosen("words w", "w.space = ANY(%s::text[])", (group.spaces,))
    seen = where(group.scope, group.spaces)
    tables = "words w JOIN notes n ON n.space = w.space AND n.id = w.note"
    condition = f"w.space = ANY(%s::text[]) AND {seen.condition}"
    return Chosen(tables, condition, (group.spaces, *seen.parameters))


def _within(reach: Reach) -> tuple[str, list[str | float]]:
    """What a passage's words can add is enough to reach the score."""
    added = " + ".join("CASE WHEN w.words @@ %s::tsquery THEN %s ELSE 0 END" for _ in reach.terms)
    given = [value for term in reach.terms for value in (term.expression, term.most)]
    return f"{added} >= %s", [*given, reach.least - ROUNDING]


def _damping(group: Group) -> tuple[float, float, float]:
    average = group.collection.average
    by_length = BM25_B / average if average else 0.0
    return BM25_K1 * _SCALE, 1 - BM25_B if average else 1.0, by_length


def _columns(group: Group, shape: str) -> str:
    """The shape once for each leaf, `#` being its number."""
    return ", ".join(shape.replace("#", str(at)) for at in range(len(group.told)))


def _sum(group: Group) -> str:
    return " + ".join(f"%s * c.f{at} / (c.f{at} + c.damping)" for at in range(len(group.told)))
