"""Writing embeddings, and telling which passages wait for one.

Whoever embeds may take long. A passage that was handed out to be embedded, and has changed when its
vector comes back, is left waiting.
"""

import sqlite3
import threading
from collections.abc import Mapping, Sequence
from typing import Final

from recollect.model.errors import BadInput
from recollect.model.note import Passage
from recollect.ports import Vector
from recollect.stores.checks import checked_vector
from recollect.stores.sqlite.clock import next_change, read_clock
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.fresh import Indexes, Model, model_named
from recollect.stores.sqlite.listing import GIVEN, listed
from recollect.stores.sqlite.rows import PASSAGE_COLUMNS, passage_of

_WAITING: Final = (
    f"SELECT p.row, p.written, {PASSAGE_COLUMNS} FROM passages p JOIN notes n ON n.row = p.note"
    " WHERE p.row > ? AND p.row <= ? AND NOT EXISTS"
    " (SELECT 1 FROM vectors v WHERE v.model = ? AND v.passage = p.row) ORDER BY p.row LIMIT ?"
)
_LAST: Final = 2**62


class SQLiteVectorWriter:
    def __init__(self, connections: Connections, indexes: Indexes) -> None:
        self._connections = connections
        self._indexes = indexes
        self._changing = threading.Lock()
        self._handed_out: dict[tuple[str, str], int] = {}
        self._reached: dict[str, int] = {}

    def put_vectors(self, model: str, vectors: Mapping[str, Vector]) -> None:
        if not vectors:
            return
        with self._changing:
            expected = {one: self._handed_out.pop((model, one), None) for one in vectors}
        with self._connections.writing() as connection:
            rows = _current(connection, expected)
            keep_vectors(connection, model, {one: vectors[one] for one in rows})

    def without_vector(self, model: str, count: int) -> Sequence[Passage]:
        """Goes on where the last call stopped, then looks at what it had passed by."""
        with self._connections.reading() as connection:
            known = model_named(connection, model)
            if known and known.vectors == read_clock(connection).passages:
                return []
            own = known.row if known else 0
            reached = self._reached.get(model, 0)
            found = connection.execute(_WAITING, (reached, _LAST, own, count)).fetchall()
            if len(found) < count and reached:
                missing = count - len(found)
                found += connection.execute(_WAITING, (0, reached, own, missing)).fetchall()
        passages = [passage_of(columns) for _, _, *columns in found]
        with self._changing:
            # the first that waits may wait for ever, if whoever asked never brings its vector
            self._reached[model] = found[0][0] - 1 if found else 0
            for (_, written, *_), passage in zip(found, passages, strict=True):
                self._handed_out[model, passage.id] = written
        return passages

    def drop_model(self, model: str) -> int:
        with self._connections.writing() as connection:
            known = model_named(connection, model)
            if known is None:
                return 0
            connection.execute("DELETE FROM models WHERE row = ?", (known.row,))
        self._indexes.drop(known)
        return known.vectors


def keep_vectors(connection: sqlite3.Connection, model: str, vectors: Mapping[str, Vector]) -> None:
    """The vectors of passages that are there; any other is dropped."""
    statement = f"SELECT id, row, note FROM passages WHERE id IN {GIVEN}"
    found = connection.execute(statement, (listed(vectors),)).fetchall()
    made = {one: checked_vector(vectors[one]) for one, _, _ in found}
    if not made:
        return
    known = _model(connection, model, {len(vector) for vector in made.values()})
    change = next_change(connection)
    connection.executemany(
        "INSERT INTO vectors (model, passage, note, change, vector) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (model, passage) DO UPDATE"
        " SET vector = excluded.vector, change = excluded.change",
        ((known, row, note, change, made[one].tobytes()) for one, row, note in found),
    )


def _current(connection: sqlite3.Connection, expected: Mapping[str, int | None]) -> list[str]:
    """The passages that are there, and as they were when they were handed out."""
    statement = f"SELECT id, written FROM passages WHERE id IN {GIVEN}"
    found = connection.execute(statement, (listed(expected),))
    return [one for one, written in found if expected[one] in (None, written)]


def _model(connection: sqlite3.Connection, identity: str, sizes: set[int]) -> int:
    known: Model | None = model_named(connection, identity)
    if known is not None:
        sizes = {known.dimensions, *sizes}
    if len(sizes) > 1:
        raise BadInput("vectors", sorted(sizes), f"are different dimensions for model {identity}")
    if known is not None:
        return known.row
    statement = "INSERT INTO models (identity, dimensions) VALUES (?, ?)"
    return int(connection.execute(statement, (identity, *sizes)).lastrowid or 0)
