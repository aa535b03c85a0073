"""The words of a whole space taken apart again, from its notes: in another language, or after damage."""

from typing import Final

from recollect.model.note import Note
from recollect.retrieve.trigram import grams, slug_text
from recollect.stores.passage_words import COUNTING
from recollect.stores.postgres.connections import Connection, unhurried
from recollect.stores.postgres.contents import documents_of
from recollect.stores.postgres.languages import changing
from recollect.stores.postgres.revising import prepared
from recollect.stores.postgres.writer import put_words

_COUNT_TERMS: Final = """
INSERT INTO terms SELECT w.space, term, count(*) FROM words w, unnest(tsvector_to_array(w.words)) term
WHERE w.space = %s AND NOT starts_with(term, '=') GROUP BY w.space, term
"""
_COUNT_SPACE: Final = """
UPDATE spaces SET language = %(language)s, edition = %(edition)s,
    passages = (SELECT count(*) FROM words WHERE space = %(space)s),
    length = (SELECT coalesce(sum(length), 0) FROM words WHERE space = %(space)s)
WHERE space = %(space)s
"""


def derive_words(connection: Connection, space: str, language: str) -> None:
    """One transaction: a search sees the old words until the new ones are all there."""
    unhurried(connection)
    changing(connection, space)
    connection.execute("DELETE FROM words WHERE space = %s", (space,))
    for documents in documents_of(connection, space):
        for document in documents:
            put_words(connection, space, prepared(document, language).pieces)
    count_words(connection, space, language)


def count_words(connection: Connection, space: str, language: str) -> None:
    connection.execute("DELETE FROM terms WHERE space = %s", (space,))
    connection.execute(_COUNT_TERMS, (space,))
    given = {"space": space, "language": language, "edition": COUNTING}
    connection.execute(_COUNT_SPACE, given)


def derive_slugs(connection: Connection, space: str) -> None:
    for documents in documents_of(connection, space):
        for note in (one.note for one in documents):
            connection.execute(
                "UPDATE notes SET grams = %s WHERE space = %s AND id = %s AND grams != %s",
                (own := grams_of(note), space, note.id, own),
            )


def grams_of(note: Note) -> list[str]:
    return sorted(grams(slug_text(note.path)))
