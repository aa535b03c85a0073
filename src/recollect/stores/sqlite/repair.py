"""Deriving again what is derived: full text, slugs, counts and the indexes beside the file."""

import shutil
import sqlite3
from typing import TYPE_CHECKING, Final

from recollect.stores.passage_words import EDITION
from recollect.stores.sqlite import schema
from recollect.stores.sqlite.clock import next_change
from recollect.stores.sqlite.contents import contents
from recollect.stores.sqlite.migrations import statements
from recollect.stores.sqlite.writer import prepared, put_slug, put_words

if TYPE_CHECKING:
    from recollect.stores.sqlite import SQLiteStore

_LOOSE: Final = """
DELETE FROM texts WHERE note NOT IN (SELECT row FROM notes);
DELETE FROM usage WHERE note NOT IN (SELECT row FROM notes);
DELETE FROM tags WHERE note NOT IN (SELECT row FROM notes);
DELETE FROM links WHERE source NOT IN (SELECT row FROM notes);
DELETE FROM passages WHERE note NOT IN (SELECT row FROM notes);
DELETE FROM vectors WHERE passage NOT IN (SELECT row FROM passages);
DELETE FROM vectors WHERE model NOT IN (SELECT row FROM models);
INSERT INTO usage SELECT row, created_at, 0, 0 FROM notes WHERE row NOT IN (SELECT note FROM usage);
"""
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


def repair(opened: "SQLiteStore") -> None:
    """One transaction for the file; the indexes follow. Safe to run at any time."""
    with opened.connections.writing() as connection:
        connection.execute("DROP TABLE passage_words")
        connection.execute("DROP TABLE slugs")
        for statement in statements(schema.WORDS + _LOOSE + _COUNTS):
            connection.execute(statement)
        change = next_change(connection)
        connection.execute("UPDATE passages SET change = ?", (change,))
        _words_again(connection)
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('words', ?)", (EDITION,))
    opened.indexes.forget()
    shutil.rmtree(opened.indexes.directory, ignore_errors=True)
    opened.indexes.publish()


def _words_again(connection: sqlite3.Connection) -> None:
    for content in contents(connection):
        ready = prepared(content.document)
        put_slug(connection, content.row, ready.slug)
        for row, words in zip(content.passage_rows, ready.words, strict=True):
            put_words(connection, row, words)
