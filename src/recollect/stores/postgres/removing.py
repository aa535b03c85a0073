"""Taking away: passages, whole notes, and notes out of one space into another."""

from collections.abc import Mapping, Sequence
from typing import Final

from recollect.stores.postgres.connections import Connection
from recollect.stores.postgres.counting import Difference
from recollect.stores.postgres.models import Model, models
from recollect.stores.postgres.schema import OWNED

_UNEMBED: Final = """
WITH gone AS (
    DELETE FROM {table} WHERE space = %(space)s AND id = ANY(%(ids)s::text[]) RETURNING note
), fewer AS (
    UPDATE embedded e SET vectors = e.vectors - g.many
    FROM (SELECT note, count(*)::integer AS many FROM gone GROUP BY note) g
    WHERE e.space = %(space)s AND e.model = %(model)s AND e.note = g.note
)
SELECT count(*) FROM gone
"""


def forget_words(
    connection: Connection, space: str, ids: Sequence[str], difference: Difference
) -> None:
    if ids:
        difference.take_away(connection, space, ids)
        _delete(connection, "words", space, ids)


def forget_passages(
    connection: Connection, space: str, ids: Sequence[str], difference: Difference
) -> None:
    """Their text and their vectors; their words are forgotten apart."""
    if not ids:
        return
    _delete(connection, "passages", space, ids)
    for model in models(connection):
        given = {"space": space, "ids": list(ids), "model": model.number}
        statement = _UNEMBED.format(table=model.table)
        difference.vectors[model.number] -= _number(connection, statement, given)


def free_passages(connection: Connection, ids: Sequence[str]) -> None:
    if ids:
        statement = "DELETE FROM passage_spaces WHERE id = ANY(%s::text[])"
        connection.execute(statement, (list(ids),))


def remove_notes(
    connection: Connection, space: str, ids: Sequence[str], difference: Difference
) -> None:
    passages = passages_of(connection, space, ids)
    forget_words(connection, space, passages, difference)
    forget_passages(connection, space, passages, difference)
    free_passages(connection, passages)
    for table, column in OWNED:
        statement = f"DELETE FROM {table} WHERE space = %s AND {column} = ANY(%s::text[])"
        connection.execute(statement, (space, list(ids)))
    connection.execute("DELETE FROM note_spaces WHERE id = ANY(%s::text[])", (list(ids),))


def move(
    connection: Connection,
    note_id: str,
    spaces: tuple[str, str],
    differences: Mapping[str, Difference],
) -> None:
    """Everything of a note but its words, which are counted by space, goes to another partition."""
    before, after = spaces
    passages = passages_of(connection, before, [note_id])
    forget_words(connection, before, passages, differences[before])
    for model in models(connection):
        moved = _move_vectors(connection, model, note_id, spaces)
        differences[before].vectors[model.number] -= moved
        differences[after].vectors[model.number] += moved
    for table, column in OWNED:
        statement = f"UPDATE {table} SET space = %s WHERE space = %s AND {column} = %s"
        connection.execute(statement, (after, before, note_id))
    connection.execute(
        "UPDATE passage_spaces SET space = %s WHERE id = ANY(%s::text[])", (after, passages)
    )
    connection.execute("UPDATE note_spaces SET space = %s WHERE id = %s", (after, note_id))


def passages_of(connection: Connection, space: str, note_ids: Sequence[str]) -> list[str]:
    statement = "SELECT id FROM passages WHERE space = %s AND note = ANY(%s::text[])"
    return [one for (one,) in connection.execute(statement, (space, list(note_ids)))]


def _move_vectors(
    connection: Connection, model: Model, note_id: str, spaces: tuple[str, str]
) -> int:
    statement = f"UPDATE {model.table} SET space = %s WHERE space = %s AND note = %s"
    return connection.execute(statement, (spaces[1], spaces[0], note_id)).rowcount


def _delete(connection: Connection, table: str, space: str, ids: Sequence[str]) -> None:
    statement = f"DELETE FROM {table} WHERE space = %s AND id = ANY(%s::text[])"
    connection.execute(statement, (space, list(ids)))


def _number(connection: Connection, statement: str, given: Mapping[str, object]) -> int:
    found = connection.execute(statement, given).fetchone()
    return int(found[0]) if found else 0
