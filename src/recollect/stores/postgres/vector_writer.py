"""Writing embeddings, and telling which passages wait for one.

Whoever embeds may take long. A passage that was handed out to be embedded, and has changed when its
vector comes back, is left waiting.
"""

import threading
from collections.abc import Mapping, Sequence
from typing import Any, Final

from recollect.model.note import Passage
from recollect.ports import Vector
from recollect.stores.checks import checked_vector
from recollect.stores.postgres.connections import Connection, Connections
from recollect.stores.postgres.counting import Difference, keep
from recollect.stores.postgres.languages import holding_still
from recollect.stores.postgres.migrations import lock
from recollect.stores.postgres.models import Model, model_named, model_of
from recollect.stores.postgres.rows import PASSAGE_COLUMNS, by_space, passage_of
from recollect.stores.postgres.wire import sent
from recollect.stores.postgres.writer import copy

_ROWS: Final = (
    "SELECT id, note, written FROM passages WHERE space = %s AND id = ANY(%s::text[])"
    " ORDER BY id FOR SHARE"
)
_EMBEDDED: Final = """
INSERT INTO embedded SELECT u.space, %(model)s, u.note, g.many, u.accessed_at
FROM unnest(%(notes)s::text[], %(many)s::integer[]) g (note, many)
JOIN usage u ON u.space = %(space)s AND u.note = g.note ORDER BY u.note
ON CONFLICT (space, model, note) DO UPDATE SET vectors = embedded.vectors + excluded.vectors
"""
_WAITING: Final = (
    f"SELECT p.space, p.written, {PASSAGE_COLUMNS} FROM passages p"
    " WHERE p.space = %s AND p.id > %s{unembedded} ORDER BY p.id LIMIT %s"
)
_UNEMBEDDED: Final = (
    " AND NOT EXISTS (SELECT 1 FROM {table} v WHERE v.space = p.space AND v.id = p.id)"
)
_SHORT: Final = (
    "SELECT s.space FROM spaces s LEFT JOIN coverage c ON c.space = s.space AND c.model = %s"
    " WHERE s.passages > coalesce(c.vectors, 0) ORDER BY s.space"
)


class PostgresVectorWriter:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._changing = threading.Lock()
        self._handed_out: dict[tuple[str, str], int] = {}
        self._reached: dict[tuple[str, str], str] = {}

    def put_vectors(self, model: str, vectors: Mapping[str, Vector]) -> None:
        if not vectors:
            return
        with self._changing:
            expected = {one: self._handed_out.pop((model, one), None) for one in vectors}

        def put(connection: Connection) -> None:
            found = current(connection, expected)
            keep_vectors(connection, self._connections.schema, model, vectors, found)

        self._connections.write(put)

    def without_vector(self, model: str, count: int) -> Sequence[Passage]:
        """Goes on where the last call stopped, then looks at what it had passed by."""
        found = self._connections.read(lambda connection: self._waiting(connection, model, count))
        passages = [passage_of(columns) for _, _, *columns in found]
        with self._changing:
            for (_, written, *_), passage in zip(found, passages, strict=True):
                self._handed_out[model, passage.id] = written
        return passages

    def drop_model(self, model: str) -> int:
        dropped = 0

        def drop(connection: Connection) -> None:
            nonlocal dropped  # a second try finds nothing where the first one went through
            lock(connection, self._connections.schema)
            known = model_named(connection, model)
            if known is not None:
                dropped = _drop(connection, known)

        self._connections.write(drop)
        return dropped

    def _waiting(self, connection: Connection, model: str, count: int) -> list[tuple[Any, ...]]:
        known = model_named(connection, model)
        unembedded = _UNEMBEDDED.format(table=known.table) if known else ""
        statement = _WAITING.format(unembedded=unembedded)
        found: list[tuple[Any, ...]] = []
        for (space,) in connection.execute(_SHORT, (known.number if known else 0,)).fetchall():
            reached = self._reached.pop((model, space), "")
            own = connection.execute(statement, (space, reached, count - len(found))).fetchall()
            if not own and reached:
                own = connection.execute(statement, (space, "", count - len(found))).fetchall()
            found += own
            if len(found) >= count:
                # just before the first of these: it waits for ever if nobody brings its vector
                self._reached[model, space] = _just_before(own[0][2])
                break
        return found


def _just_before(passage_id: str) -> str:
    """A name that comes before this one and after whatever comes before it, near enough."""
    return passage_id[:-1]


Rows = dict[str, list[tuple[str, str]]]
"""By space: the passages that are there, each with its note."""


def current(connection: Connection, expected: Mapping[str, int | None]) -> Rows:
    """The passages that are there, and as they were when they were handed out; they stay so."""
    found: Rows = {}
    homes = by_space(connection, expected, "passage_spaces")
    holding_still(connection, homes)
    for space, ids in sorted(homes.items()):
        rows = connection.execute(_ROWS, (space, ids))
        own = [(one, note) for one, note, written in rows if expected[one] in (None, written)]
        if own:
            found[space] = own
    return found


def keep_vectors(
    connection: Connection, schema: str, model: str, vectors: Mapping[str, Vector], found: Rows
) -> None:
    """The vectors of passages that are there; any other is dropped."""
    made = {one: checked_vector(vectors[one]) for own in found.values() for one, _ in own}
    if not made:
        return
    known = model_of(connection, model, {len(vector) for vector in made.values()}, schema)
    differences = {
        space: _keep_space(connection, known, space, own, made) for space, own in found.items()
    }
    keep(connection, differences)


def _keep_space(
    connection: Connection,
    model: Model,
    space: str,
    own: Sequence[tuple[str, str]],
    made: Mapping[str, Vector],
) -> Difference:
    ids = [one for one, _ in own]
    statement = f"DELETE FROM {model.table} WHERE space = %s AND id = ANY(%s::text[]) RETURNING id"
    before = {one for (one,) in connection.execute(statement, (space, ids))}
    rows = ((space, one, note, sent(made[one])) for one, note in own)
    copy(connection, f"{model.table} (space, id, note, vector)", rows, form="binary")
    more: dict[str, int] = {}
    for one, note in own:
        if one not in before:
            more[note] = more.get(note, 0) + 1
    given = {"model": model.number, "space": space, "notes": list(more), "many": [*more.values()]}
    connection.execute(_EMBEDDED, given)
    difference = Difference()
    difference.vectors[model.number] = len(ids) - len(before)
    return difference


def _drop(connection: Connection, model: Model) -> int:
    statement = "SELECT coalesce(sum(vectors), 0)::bigint FROM coverage WHERE model = %s"
    found = connection.execute(statement, (model.number,)).fetchone()
    connection.execute(f"DROP TABLE {model.table}")
    for table in ("embedded", "coverage"):
        connection.execute(f"DELETE FROM {table} WHERE model = %s", (model.number,))
    connection.execute("DELETE FROM models WHERE number = %s", (model.number,))
    return int(found[0]) if found else 0
