"""Deriving again what is derived: full text, slugs, counts and the indexes beside the file."""

import shutil
import sqlite3
from itertools import islice
from typing import Final

from recollect.model.note import Document
from recollect.retrieve.trigram import grams, slug_text
from recollect.stores.sqlite import SQLiteStore, schema
from recollect.stores.sqlite.clock import next_change
from recollect.stores.sqlite.migrations import statements
from recollect.stores.sqlite.rows import PASSAGE_COLUMNS, passage_of
from recollect.stores.sqlite.shelf import read_notes
from recollect.stores.sqlite.terms import EDITION, word_rows
from recollect.stores.sqlite.writer import put_words

_AT_ONCE: Final = 500
_COUNTS: Final = """
DELETE FROM vectors WHERE length(vector) != 4 * (SELECT dimensions FROM models m WHERE m.row = model);
UPDATE models SET vectors = (SELECT count(*) FROM vectors v WHERE v.model = models.row);
DELETE FROM embedded;
INSERT INTO embedded (model, note, id, vectors, accessed_at)
    SELECT v.model, v.note, n.id, count(*), u.accessed_at
    FROM vectors v JOIN notes n ON n.row = v.note JOIN usage u ON u.note = n.row
    GROUP BY v.model, v.note;
UPDATE clock SET passages = (SELECT count(*) FROM passages);
"""


def repair(opened: SQLiteStore) -> None:
    """One transaction for the file; the indexes follow. Safe to run at any time."""
    with opened.connections.writing() as connection:
        connection.execute("DROP TABLE passage_words")
        connection.execute("DROP TABLE slugs")
        for statement in (*statements(schema.WORDS), *statements(_COUNTS)):
            connection.execute(statement)
        change = next_change(connection)
        connection.execute("UPDATE passages SET change = ?", (change,))
        _words_again(connection)
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('words', ?)", (EDITION,))
    opened.indexes.forget()
    shutil.rmtree(opened.indexes.directory, ignore_errors=True)
    opened.indexes.publish()


def _words_again(connection: sqlite3.Connection) -> None:
    every = connection.execute("SELECT row, id FROM notes ORDER BY row").fetchall()
    waiting = iter(every)
    while batch := dict(islice(waiting, _AT_ONCE)):
        notes = read_notes(connection, batch.values())
        for row, note_id in batch.items():
            note = notes[note_id]
            slug = " ".join(sorted(grams(slug_text(note.path))))
            connection.execute("INSERT INTO slugs (rowid, grams) VALUES (?, ?)", (row, slug))
            found = connection.execute(
                f"SELECT p.row, {PASSAGE_COLUMNS} FROM passages p JOIN notes n ON n.row = p.note"
                " WHERE p.note = ? ORDER BY p.place",
                (row,),
            ).fetchall()
            passages = tuple(passage_of(columns) for _, *columns in found)
            words = word_rows(Document(note, passages, frozenset()))
            for (passage, *_), each in zip(found, words, strict=True):
                put_words(connection, passage, each)
