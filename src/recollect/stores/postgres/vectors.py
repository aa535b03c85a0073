"""Finding by meaning: exact where that is quick, by an HNSW index where it is not, compared exactly.

Whatever brings a passage, its similarity is computed here from its own vector, so that it is the same
number, to the last bit, on every store.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from recollect.model.query import Scope
from recollect.model.ranking import Hit
from recollect.ports import Vector
from recollect.stores.cosine import cosines_of, unit_of
from recollect.stores.hits import best_of_each, in_order
from recollect.stores.postgres.connections import Connection, Connections
from recollect.stores.postgres.hnsw import indexed
from recollect.stores.postgres.models import Model, model_named
from recollect.stores.postgres.plans import in_index_order
from recollect.stores.postgres.rows import located
from recollect.stores.postgres.scope import Where, keepable, narrows, where
from recollect.stores.postgres.wire import literal, received
from recollect.stores.seeing import sees_nothing

EXACT: Final = 20_000  # vectors up to which all are compared
NARROW: Final = 4_000  # notes of a scope up to which all their vectors are compared
_SPARE: Final = 16
_WIDER: Final = 4
_FEW_SPACES: Final = 8
_ROUNDING: Final = 1e-6  # more than single precision can be off in a cosine
_MISSING: Final = (
    "SELECT (SELECT coalesce(sum(passages), 0) FROM spaces)::bigint"
    " - (SELECT coalesce(sum(vectors), 0) FROM coverage WHERE model = %s)::bigint"
)
_VECTORS: Final = (
    "SELECT coalesce(sum(vectors), 0) FROM coverage WHERE model = %s AND space = ANY(%s::text[])"
)
_LEAST_EF, _MOST_EF = 100, 1_000  # how many candidates HNSW keeps at once; pgvector allows 1,000
_WIDE: Final = (
    "SELECT set_config('hnsw.ef_search', %s, true),"
    " set_config('hnsw.iterative_scan', 'relaxed_order', true)"
)

Rows = Sequence[tuple[Any, ...]]


class PostgresVectors:
    may_wait = True

    def __init__(self, connections: Connections, exact: int = EXACT, narrow: int = NARROW) -> None:
        self._connections = connections
        self._exact = exact
        self._narrow = narrow

    def nearest(self, model: str, vector: Vector, scope: Scope, depth: int) -> Sequence[Hit]:
        if depth < 1 or sees_nothing(scope):
            return []

        def find(connection: Connection) -> list[Hit]:
            known = model_named(connection, model)
            if known is None:
                return []
            found = self._by_index(connection, known, vector, scope, depth)
            return found or _exactly(connection, known, vector, scope, depth)

        return self._connections.search(find)

    def _by_index(
        self, connection: Connection, model: Model, vector: Vector, scope: Scope, depth: int
    ) -> list[Hit]:
        """What an index finds where comparing all would take long; nothing where it finds too few."""
        if not np.any(vector) or not self._is_wide(connection, model, scope):
            return []
        if not indexed(connection, model):
            return []
        found = _brought(connection, model, vector, scope, depth)
        hits = in_order(_compared(model, vector, found))
        return hits[:depth] if len(hits) >= depth else []

    def _is_wide(self, connection: Connection, model: Model, scope: Scope) -> bool:
        spaces = keepable(scope.spaces)
        if _number(connection, _VECTORS, (model.number, spaces)) <= self._exact:
            return False
        if not narrows(scope):
            return True
        seen = where(scope)
        few = f"SELECT count(*) FROM (SELECT 1 FROM notes n WHERE {seen.condition} LIMIT %s) f"
        return _number(connection, few, (*seen.parameters, self._narrow + 1)) > self._narrow

    def similarities(self, model: str, vector: Vector, note_ids: Iterable[str]) -> Sequence[Hit]:
        wanted = list(dict.fromkeys(note_ids))
        if not wanted:
            return []

        def compare(connection: Connection) -> list[Hit]:
            known = model_named(connection, model)
            return _compared(known, vector, _stored(connection, known, wanted)) if known else []

        return best_of_each(self._connections.search(compare))

    def missing(self, model: str) -> int:
        def count(connection: Connection) -> int:
            known = model_named(connection, model)
            found = connection.execute(_MISSING, (known.number if known else 0,)).fetchone()
            return int(found[0]) if found else 0

        return self._connections.read(count)

    def recently_accessed(self, model: str, scope: Scope, count: int) -> Sequence[str]:
        if count < 1 or sees_nothing(scope):
            return []

        def read(connection: Connection) -> list[str]:
            known = model_named(connection, model)
            if known is None:
                return []
            statement, parameters = pool_query(known.number, scope, count)
            return [note for note, _ in connection.execute(statement, parameters)]

        return self._connections.search(read)


def pool_query(model: int, scope: Scope, count: int) -> tuple[str, tuple[Any, ...]]:
    """R1.2, R1.6: the notes accessed last that have an embedding of this model.

    Of a few spaces each is read in the order of its index, and no further than is wanted.
    """
    spaces = keepable(scope.spaces)
    groups = [[space] for space in spaces] if len(spaces) <= _FEW_SPACES else [spaces]
    parts = [_pool_part(model, scope, group, count) for group in groups]
    several = " UNION ALL ".join(text for text, _ in parts)
    statement = f"SELECT * FROM ({several}) p ORDER BY accessed_at DESC NULLS LAST, note LIMIT %s"
    return statement, (*(value for _, given in parts for value in given), count)


def _pool_part(
    model: int, scope: Scope, spaces: list[str], count: int
) -> tuple[str, tuple[Any, ...]]:
    only = ("= %s", spaces[0]) if len(spaces) == 1 else ("= ANY(%s::text[])", spaces)
    seen = where(scope, spaces) if narrows(scope) else Where("true", ())
    joined = " JOIN notes n ON n.space = e.space AND n.id = e.note" if seen.parameters else ""
    text = (
        f"(SELECT e.note, e.accessed_at FROM embedded e{joined}"
        f" WHERE e.space {only[0]} AND e.model = %s AND e.vectors > 0 AND {seen.condition}"
        " ORDER BY e.accessed_at DESC NULLS LAST, e.note LIMIT %s)"
    )
    return text, (only[1], model, *seen.parameters, count)


def _brought(connection: Connection, model: Model, query: Vector, scope: Scope, depth: int) -> Rows:
    """What the index brings, more than is wanted: it knows the vectors in half precision only."""
    wanted = 2 * depth + _SPARE
    look_wide(connection, wanted)
    with in_index_order(connection):
        return _binary(connection, *index_query(model, query, scope, wanted))


def look_wide(connection: Connection, wanted: int) -> None:
    """The index goes on until enough of what it finds is in the scope."""
    connection.execute(_WIDE, (str(min(_MOST_EF, max(_LEAST_EF, wanted))),))


def index_query(
    model: Model, query: Vector, scope: Scope, wanted: int
) -> tuple[str, tuple[Any, ...]]:
    half = f"halfvec({model.dimensions})"
    tables, seen = _visible(model, scope)
    statement = (
        f"SELECT v.note, v.id, v.vector FROM {tables} WHERE {seen.condition}"
        f" ORDER BY v.vector::{half} <=> %s::{half} LIMIT %s"
    )
    return statement, (*seen.parameters, literal(query), wanted)


def _visible(model: Model, scope: Scope) -> tuple[str, Where]:
    """The vectors of a scope: whole spaces are known by the vectors' own rows."""
    own = Where("v.space = ANY(%s::text[])", (keepable(scope.spaces),))
    if not narrows(scope):
        return f"{model.table} v", own
    seen = where(scope)
    both = Where(f"{own.condition} AND {seen.condition}", (*own.parameters, *seen.parameters))
    return f"{model.table} v JOIN notes n ON n.space = v.space AND n.id = v.note", both


def _exactly(
    connection: Connection, model: Model, vector: Vector, scope: Scope, depth: int
) -> list[Hit]:
    """The server's distances choose, with room for rounding; a zero vector is at right angles to all."""
    tables, seen = _visible(model, scope)
    statement = (
        "SELECT v.note, v.id, v.vector,"
        " coalesce(nullif(v.vector <=> %s::vector, 'NaN'), 1) AS distance"
        f" FROM {tables} WHERE {seen.condition} ORDER BY distance, v.id LIMIT %s"
    )
    asked = depth + _SPARE
    while True:
        given = (literal(vector), *seen.parameters, asked)
        rows = _binary(connection, statement, given)
        if len(rows) < asked or not 0 < rows[-1][3] - rows[depth - 1][3] < _ROUNDING:
            return in_order(_compared(model, vector, rows))[:depth]
        asked *= _WIDER


def _stored(connection: Connection, model: Model, note_ids: Iterable[str]) -> Rows:
    spaces, ids = located(connection, note_ids)
    statement = (
        f"SELECT v.note, v.id, v.vector FROM {model.table} v"
        " WHERE v.space = ANY(%s::text[]) AND v.note = ANY(%s::text[])"
    )
    return _binary(connection, statement, (spaces, ids)) if ids else []


def _compared(model: Model, vector: Vector, rows: Rows) -> list[Hit]:
    if not rows:
        return []
    query = unit_of(np.asarray(vector)[np.newaxis], model.dimensions)[0]
    stored = np.stack([received(row[2]) for row in rows])
    cosines = cosines_of(unit_of(stored, model.dimensions), query)
    return [Hit(row[0], cosine, row[1]) for row, cosine in zip(rows, cosines.tolist(), strict=True)]


def _binary(connection: Connection, statement: str, parameters: tuple[Any, ...]) -> Rows:
    with connection.cursor(binary=True) as cursor:
        return cursor.execute(statement, parameters).fetchall()


def _number(connection: Connection, statement: str, parameters: tuple[Any, ...]) -> int:
    found = connection.execute(statement, parameters).fetchone()
    return int(found[0]) if found else 0
