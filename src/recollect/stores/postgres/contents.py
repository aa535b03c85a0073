"""Whole notes as they were put, one after the other, read in batches."""

from collections.abc import Iterator
from typing import Final

from recollect.model.note import Document, Passage, Usage
from recollect.model.records import KeptNote
from recollect.stores.postgres.connections import Connection
from recollect.stores.postgres.rows import PASSAGE_COLUMNS, located, passage_of
from recollect.stores.postgres.shelf import notes_of

AT_ONCE: Final = 500
_NEXT: Final = "SELECT id FROM notes WHERE space = %s AND id > %s ORDER BY id LIMIT %s"
_AFTER: Final = "SELECT id FROM note_spaces WHERE id > %s ORDER BY id LIMIT %s"
_HEADS: Final = (
    "SELECT n.id, n.traits, u.accessed_at, u.access_count, u.exposures FROM notes n"
    " JOIN usage u ON u.space = n.space AND u.note = n.id"
    " WHERE n.space = ANY(%(spaces)s::text[]) AND u.space = ANY(%(spaces)s::text[])"
    " AND n.id = ANY(%(ids)s::text[]) ORDER BY n.id"
)
_PASSAGES: Final = (
    f"SELECT {PASSAGE_COLUMNS} FROM passages p"
    " WHERE p.space = ANY(%s::text[]) AND p.note = ANY(%s::text[]) ORDER BY p.note, p.place"
)


def documents_of(connection: Connection, space: str) -> Iterator[list[Document]]:
    """All of a space. A note that has lost its passages is left out; the doctor finds those."""
    last = ""
    while ids := _ids(connection, _NEXT, (space, last, AT_ONCE)):
        last = ids[-1]
        yield [one.document for one in _kept(connection, [space], ids)]


def kept_after(
    connection: Connection, note_id: str, count: int
) -> tuple[list[KeptNote], str | None]:
    """The next notes by id, and the id they reach; None where there are no more."""
    ids = _ids(connection, _AFTER, (note_id, count))
    spaces, _ = located(connection, ids)
    return list(_kept(connection, spaces, ids)), ids[-1] if len(ids) == count else None


def _ids(connection: Connection, statement: str, given: tuple[object, ...]) -> list[str]:
    return [one for (one,) in connection.execute(statement, given)]


def _kept(connection: Connection, spaces: list[str], ids: list[str]) -> Iterator[KeptNote]:
    notes = notes_of(connection, spaces, ids)
    passages: dict[str, list[Passage]] = {}
    for passage in map(passage_of, connection.execute(_PASSAGES, (spaces, ids))):
        passages.setdefault(passage.note_id, []).append(passage)
    heads = connection.execute(_HEADS, {"spaces": spaces, "ids": ids}).fetchall()
    for note_id, traits, *usage in heads:
        if note_id in notes and note_id in passages:
            own = tuple(passages[note_id])
            yield KeptNote(Document(notes[note_id], own, frozenset(traits)), Usage(*usage))
