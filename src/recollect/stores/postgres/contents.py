"""Whole notes as they were put, one after the other, read in batches."""

from collections.abc import Iterator, Sequence
from typing import Final

from recollect.model.note import Document, Passage, Usage
from recollect.model.records import KeptNote
from recollect.stores.postgres.connections import Connection
from recollect.stores.postgres.rows import PASSAGE_COLUMNS, by_space, passage_of
from recollect.stores.postgres.shelf import notes_of_space

AT_ONCE: Final = 500
_NEXT: Final = "SELECT id FROM notes WHERE space = %s AND id > %s ORDER BY id LIMIT %s"
_AFTER: Final = "SELECT id FROM note_spaces WHERE id > %s ORDER BY id LIMIT %s"
_HEADS: Final = (
    "SELECT n.id, n.traits, u.accessed_at, u.access_count, u.exposures FROM notes n"
    " JOIN usage u ON u.space = n.space AND u.note = n.id"
    " WHERE n.space = %(space)s AND u.space = %(space)s AND n.id = ANY(%(ids)s::text[])"
)
_PASSAGES: Final = (
    f"SELECT {PASSAGE_COLUMNS} FROM passages p"
    " WHERE p.space = %s AND p.note = ANY(%s::text[]) ORDER BY p.note, p.place"
)


def documents_of(connection: Connection, space: str) -> Iterator[list[Document]]:
    """All of a space. A note that has lost its passages is left out; the doctor finds those."""
    last = ""
    while ids := _ids(connection, _NEXT, (space, last, AT_ONCE)):
        last = ids[-1]
        yield [one.document for one in _kept(connection, space, ids)]


def kept_after(
    connection: Connection, note_id: str, count: int
) -> tuple[list[KeptNote], str | None]:
    """The next notes by id, and the id they reach; None where there are no more."""
    ids = _ids(connection, _AFTER, (note_id, count))
    found = {
        one.document.note.id: one
        for space, own in by_space(connection, ids).items()
        for one in _kept(connection, space, own)
    }
    reached = ids[-1] if len(ids) == count else None
    return [found[one] for one in ids if one in found], reached


def _ids(connection: Connection, statement: str, given: tuple[object, ...]) -> list[str]:
    return [one for (one,) in connection.execute(statement, given)]


def _kept(connection: Connection, space: str, ids: Sequence[str]) -> Iterator[KeptNote]:
    notes = notes_of_space(connection, space, list(ids))
    passages = _passages(connection, space, ids)
    heads = connection.execute(_HEADS, {"space": space, "ids": list(ids)}).fetchall()
    for note_id, traits, *usage in sorted(heads):
        if note_id in notes and passages.get(note_id):
            own = tuple(passages[note_id])
            yield KeptNote(Document(notes[note_id], own, frozenset(traits)), Usage(*usage))


def _passages(connection: Connection, space: str, ids: Sequence[str]) -> dict[str, list[Passage]]:
    found: dict[str, list[Passage]] = {}
    for passage in map(passage_of, connection.execute(_PASSAGES, (space, list(ids)))):
        found.setdefault(passage.note_id, []).append(passage)
    return found
