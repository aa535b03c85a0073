"""Finding by meaning: the nearest from the derived index, given notes from the file itself."""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from recollect.model.query import Scope
from recollect.model.ranking import Hit
from recollect.ports import Vector
from recollect.stores.cosine import cosines_of, unit_of
from recollect.stores.hits import best_of_each
from recollect.stores.seeing import sees_nothing
from recollect.stores.sqlite.clock import read_clock
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.fresh import Indexes, Model, model_named
from recollect.stores.sqlite.head import head, hits
from recollect.stores.sqlite.listing import GIVEN, listed
from recollect.stores.sqlite.scope import where
from recollect.stores.sqlite.sight import Sight

# Whoever joins first is read first: the pool's own order, which ends the walk as soon as there are
# enough, or the notes of the few sessions that are named.
_POOL_FIRST: Final = "embedded e CROSS JOIN notes n ON n.row = e.note"
_NOTES_FIRST: Final = "notes n CROSS JOIN embedded e ON e.note = n.row"


class SQLiteVectors:
    may_wait = False

    def __init__(self, connections: Connections, indexes: Indexes, sight: Sight) -> None:
        self._connections = connections
        self._indexes = indexes
        self._sight = sight

    def nearest(self, model: str, vector: Vector, scope: Scope, depth: int) -> Sequence[Hit]:
        if depth < 1 or sees_nothing(scope):
            return []
        with self._connections.reading() as connection:
            known = model_named(connection, model)
            if known is None:
                return []
            index = self._indexes.vectors(connection, known)
            allowed = self._sight.rows(connection, scope, read_clock(connection))
            rows, cosines = head(lambda count: index.search(vector, count, allowed), depth)
            return hits(connection, rows, cosines, depth)

    def missing(self, model: str) -> int:
        with self._connections.reading() as connection:
            known = model_named(connection, model)
            return read_clock(connection).passages - (known.vectors if known else 0)

    def similarities(self, model: str, vector: Vector, note_ids: Iterable[str]) -> Sequence[Hit]:
        wanted = list(dict.fromkeys(note_ids))
        if not wanted:
            return []
        with self._connections.reading() as connection:
            known = model_named(connection, model)
            found = _stored_vectors(connection, known, wanted) if known else []
        if not known or not found:
            return []
        query = unit_of(vector[np.newaxis], known.dimensions)[0]
        joined = np.frombuffer(b"".join(blob for _, _, blob in found), "<f4")
        cosines = cosines_of(unit_of(joined.reshape(len(found), -1), known.dimensions), query)
        return best_of_each(
            Hit(note_id, cosine, passage_id)
            for (note_id, passage_id, _), cosine in zip(found, cosines.tolist(), strict=True)
        )

    def recently_accessed(self, model: str, scope: Scope, count: int) -> Sequence[str]:
        if count < 1 or sees_nothing(scope):
            return []
        with self._connections.reading() as connection:
            known = model_named(connection, model)
            if known is None:
                return []
            statement, parameters = pool_query(known.row, scope, count)
            return [note_id for (note_id,) in connection.execute(statement, parameters)]


def pool_query(model: int, scope: Scope, count: int) -> tuple[str, tuple[str | int, ...]]:
    """R1.2, R1.6: the notes accessed last that have an embedding of this model."""
    seen = where(scope)
    tables = _POOL_FIRST if scope.sessions is None else _NOTES_FIRST
    statement = (
        f"SELECT e.id FROM {tables} WHERE e.model = ? AND e.vectors > 0 AND {seen.condition}"
        " ORDER BY e.accessed_at DESC, e.id LIMIT ?"
    )
    return statement, (model, *seen.parameters, count)


def _stored_vectors(
    connection: sqlite3.Connection, model: Model, note_ids: Iterable[str]
) -> list[tuple[str, str, bytes]]:
    statement = (
        "SELECT n.id, p.id, v.vector FROM notes n CROSS JOIN passages p ON p.note = n.row"
        " CROSS JOIN vectors v ON v.model = ? AND v.passage = p.row"
        f" WHERE length(v.vector) = ? AND n.id IN {GIVEN}"
    )
    parameters = (model.row, 4 * model.dimensions, listed(note_ids))
    return connection.execute(statement, parameters).fetchall()
