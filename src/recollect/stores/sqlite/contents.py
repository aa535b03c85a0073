"""Everything the file knows of its notes, one after the other, read in batches."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from recollect.model.note import Document, Passage, Usage
from recollect.stores.sqlite.listing import GIVEN, listed
from recollect.stores.sqlite.moments import moment
from recollect.stores.sqlite.rows import PASSAGE_COLUMNS, passage_of
from recollect.stores.sqlite.shelf import read_notes

_AT_ONCE: Final = 500
_HEADS: Final = (
    "SELECT n.row, n.id, n.traits, u.accessed_at, u.access_count, u.exposures"
    " FROM notes n JOIN usage u ON u.note = n.row"
)


class Content(NamedTuple):
    """A document as it is kept, with its own row number and those of its passages."""

    row: int
    document: Document
    usage: Usage
    passage_rows: tuple[int, ...]


def contents(connection: sqlite3.Connection) -> Iterator[Content]:
    """A note that has lost its text or its passages is left out; the doctor finds those."""
    every = connection.execute(f"{_HEADS} ORDER BY n.row")
    while batch := list(islice(every, _AT_ONCE)):
        yield from _read(connection, batch)


def contents_after(
    connection: sqlite3.Connection, note_id: str, count: int
) -> tuple[list[Content], str | None]:
    """The next notes by id, and the id they reach; None where there are no more."""
    statement = f"{_HEADS} WHERE n.id > ? ORDER BY n.id LIMIT ?"
    batch = connection.execute(statement, (note_id, count)).fetchall()
    reached = batch[-1][1] if len(batch) == count else None
    return list(_read(connection, batch)), reached


def _read(connection: sqlite3.Connection, heads: Sequence[tuple[Any, ...]]) -> Iterator[Content]:
    ids = [note_id for _, note_id, *_ in heads]
    notes, passages = read_notes(connection, ids), _passages(connection, ids)
    for row, note_id, traits, accessed_at, access_count, exposures in heads:
        own = passages[note_id]
        if note_id not in notes or not own:
            continue
        document = Document(
            notes[note_id],
            tuple(passage for _, passage in own),
            frozenset(json.loads(traits)),
        )
        usage = Usage(moment(accessed_at), access_count, exposures)
        yield Content(row, document, usage, tuple(at for at, _ in own))


def _passages(
    connection: sqlite3.Connection, note_ids: Iterable[str]
) -> dict[str, list[tuple[int, Passage]]]:
    ids = list(note_ids)
    found = connection.execute(
        f"SELECT p.row, {PASSAGE_COLUMNS} FROM passages p JOIN notes n ON n.row = p.note"
        f" WHERE n.id IN {GIVEN} ORDER BY p.note, p.place",
        (listed(ids),),
    )
    passages: dict[str, list[tuple[int, Passage]]] = {note_id: [] for note_id in ids}
    for row, *columns in found:
        passage = passage_of(columns)
        passages[passage.note_id].append((row, passage))
    return passages
