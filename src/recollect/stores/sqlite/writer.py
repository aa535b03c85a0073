"""Writing notes. A call is one transaction; words are taken apart before it begins, so that other
writers wait no longer than the file itself takes."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from recollect.model.errors import BadInput
from recollect.model.note import EXCERPT, Document, Note, Passage
from recollect.retrieve.aliases import by_key
from recollect.retrieve.trigram import grams, slug_text
from recollect.stores.checks import checked
from recollect.stores.sqlite.clock import next_change
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.listing import GIVEN, listed
from recollect.stores.sqlite.moments import stored
from recollect.stores.sqlite.rows import PASSAGE_COLUMNS, passage_of
from recollect.stores.sqlite.terms import WordRow, word_rows

_NOTE: Final = (
    "INSERT INTO notes (id, space, path, title, summary, excerpt, created_at, modified_at,"
    " importance, session, project, tags, traits) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (id) DO UPDATE SET space = excluded.space, path = excluded.path,"
    " title = excluded.title, summary = excluded.summary, excerpt = excluded.excerpt,"
    " created_at = excluded.created_at, modified_at = excluded.modified_at,"
    " importance = excluded.importance, session = excluded.session, project = excluded.project,"
    " tags = excluded.tags, traits = excluded.traits"
)
_WORDS: Final = ", ".join(WordRow._fields)


class Prepared(NamedTuple):
    """A document ready to be written: its words taken apart, its path cut into 3-grams."""

    document: Document
    words: Sequence[WordRow]
    slug: str


class _Known(NamedTuple):
    """What the file holds of a note already, as far as writing it again depends on it."""

    row: int
    named: tuple[str, str, str]


class SQLiteWriter:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def put(self, documents: Iterable[Document]) -> None:
        ready = [prepared(document) for document in documents]
        if ready:
            with self._connections.writing() as connection:
                put_all(connection, ready)

    def remove(self, note_ids: Iterable[str]) -> int:
        wanted = list(dict.fromkeys(note_ids))
        if not wanted:
            return 0
        with self._connections.writing() as connection:
            next_change(connection)
            statement = f"DELETE FROM notes WHERE id IN {GIVEN}"
            return connection.execute(statement, (listed(wanted),)).rowcount

    def set_aliases(self, space: str, aliases: Mapping[str, tuple[str, ...]]) -> None:
        with self._connections.writing() as connection:
            put_aliases(connection, space, aliases)


def prepared(document: Document) -> Prepared:
    note = checked(document).note
    return Prepared(document, word_rows(document), " ".join(sorted(grams(slug_text(note.path)))))


def put_all(connection: sqlite3.Connection, ready: Iterable[Prepared]) -> None:
    change = next_change(connection)
    for one in ready:
        _put(connection, one, change)


def put_aliases(
    connection: sqlite3.Connection, space: str, aliases: Mapping[str, Sequence[str]]
) -> None:
    connection.execute("DELETE FROM aliases WHERE space = ?", (space,))
    connection.executemany(
        "INSERT INTO aliases VALUES (?, ?, ?, ?)",
        (
            (space, name, place, listed(others))
            for place, (name, others) in enumerate(by_key(aliases).items())
        ),
    )


def _put(connection: sqlite3.Connection, one: Prepared, change: int) -> None:
    document, note = one.document, one.document.note
    before = _known(connection, note.id)
    connection.execute(_NOTE, _note_values(document))
    known = before or _known(connection, note.id)
    assert known is not None  # noqa: S101 - it has just been written
    if before is None:
        used = (known.row, stored(note.created_at))
        connection.execute("INSERT INTO usage VALUES (?, ?, 0, 0)", used)
    else:
        _clear(connection, known.row)
    connection.execute("INSERT INTO texts VALUES (?, ?)", (known.row, note.text))
    put_slug(connection, known.row, one.slug)
    _put_tags_and_links(connection, known.row, note)
    renamed = before is not None and before.named != _named(note)
    _put_passages(connection, known.row, one, change, renamed=renamed)


def _clear(connection: sqlite3.Connection, row: int) -> None:
    """Whatever is written whole, so that it can be written again."""
    connection.execute("DELETE FROM texts WHERE note = ?", (row,))
    connection.execute("DELETE FROM slugs WHERE rowid = ?", (row,))
    connection.execute("DELETE FROM tags WHERE note = ?", (row,))
    connection.execute("DELETE FROM links WHERE source = ?", (row,))


def _known(connection: sqlite3.Connection, note_id: str) -> _Known | None:
    statement = "SELECT row, title, tags, path FROM notes WHERE id = ?"
    found = connection.execute(statement, (note_id,)).fetchone()
    return _Known(found[0], found[1:]) if found else None


def _named(note: Note) -> tuple[str, str, str]:
    return note.title, listed(note.tags), note.path


def _note_values(document: Document) -> tuple[object, ...]:
    note = document.note
    return (
        *(note.id, note.space, note.path, note.title, note.summary, note.text[:EXCERPT]),
        *(stored(note.created_at), stored(note.modified_at), note.importance),
        *(note.session, note.project, listed(note.tags), json.dumps(sorted(document.traits))),
    )


def put_slug(connection: sqlite3.Connection, row: int, slug: str) -> None:
    connection.execute("INSERT INTO slugs (rowid, grams) VALUES (?, ?)", (row, slug))


def _put_tags_and_links(connection: sqlite3.Connection, row: int, note: Note) -> None:
    tags = ((tag, row) for tag in dict.fromkeys(note.tags))
    connection.executemany("INSERT INTO tags VALUES (?, ?)", tags)
    links = ((row, place, link.target, link.kind) for place, link in enumerate(note.links))
    connection.executemany("INSERT INTO links VALUES (?, ?, ?, ?)", links)


def _put_passages(
    connection: sqlite3.Connection, note: int, one: Prepared, change: int, *, renamed: bool
) -> None:
    """A passage that stays word for word the same keeps its vectors; any other loses them."""
    before = _passages(connection, note)
    for place, (passage, words) in enumerate(zip(one.document.passages, one.words, strict=True)):
        row, old = before.pop(passage.id, (None, None))
        if row is None:
            _add(connection, note, place, passage, words, change)
            continue
        connection.execute(
            "UPDATE passages SET place = ?, change = ? WHERE row = ?", (place, change, row)
        )
        if old != passage:
            _change(connection, row, passage, change)
        if old != passage or renamed:
            connection.execute("DELETE FROM passage_words WHERE rowid = ?", (row,))
            put_words(connection, row, words)
    gone = [(row,) for row, _ in before.values()]
    connection.executemany("DELETE FROM passages WHERE row = ?", gone)


def _passages(connection: sqlite3.Connection, note: int) -> dict[str, tuple[int, Passage]]:
    statement = (
        f"SELECT p.row, {PASSAGE_COLUMNS} FROM passages p JOIN notes n ON n.row = p.note"
        " WHERE p.note = ?"
    )
    found = ((row, passage_of(columns)) for row, *columns in connection.execute(statement, (note,)))
    return {passage.id: (row, passage) for row, passage in found}


def _add(
    connection: sqlite3.Connection,
    note: int,
    place: int,
    passage: Passage,
    words: WordRow,
    change: int,
) -> None:
    try:
        added = connection.execute(
            "INSERT INTO passages (note, place, change, written, id, title, heading, first_line,"
            " last_line, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (note, place, change, change, passage.id, *_passage_values(passage)),
        )
    except sqlite3.IntegrityError as error:
        raise BadInput("passages", passage.id, "is the id of another note's passage") from error
    put_words(connection, int(added.lastrowid or 0), words)


def _change(connection: sqlite3.Connection, row: int, passage: Passage, change: int) -> None:
    connection.execute(
        "UPDATE passages SET written = ?, title = ?, heading = ?, first_line = ?, last_line = ?,"
        " text = ? WHERE row = ?",
        (change, *_passage_values(passage), row),
    )
    connection.execute("DELETE FROM vectors WHERE passage = ?", (row,))


def _passage_values(passage: Passage) -> tuple[str | int, ...]:
    heading = listed(passage.heading)
    return passage.title, heading, passage.first_line, passage.last_line, passage.text


def put_words(connection: sqlite3.Connection, row: int, words: WordRow) -> None:
    connection.execute(
        f"INSERT INTO passage_words (rowid, {_WORDS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (row, *words),
    )
