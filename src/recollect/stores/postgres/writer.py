"""Writing notes. A call is one transaction: all of it is there afterwards, or none.

The directory's lines of the notes are locked first, in the order of their ids, so that two writers of
the same note follow each other and never wait in a ring. What has changed is taken away and copied in
anew; a passage that stays word for word the same is left alone, with its vectors.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from recollect.model.errors import BadInput
from recollect.model.note import EXCERPT, Document
from recollect.retrieve.aliases import by_key
from recollect.retrieve.trigram import grams, slug_text
from recollect.stores.checks import checked
from recollect.stores.postgres.connections import Connection, Connections
from recollect.stores.postgres.counting import Difference, keep
from recollect.stores.postgres.languages import holding_still, languages_of
from recollect.stores.postgres.removing import (
    forget_passages,
    forget_words,
    free_passages,
    move,
    remove_notes,
)
from recollect.stores.postgres.revising import Known, Piece, Prepared, Revision, prepared, revision
from recollect.stores.postgres.rows import PASSAGE_COLUMNS, passage_of
from recollect.stores.postgres.scope import is_keepable
from recollect.stores.postgres.texts import given, kept

_CLAIM: Final = (
    "INSERT INTO note_spaces SELECT * FROM unnest(%s::text[], %s::text[]) g (id, space) ORDER BY id"
    " ON CONFLICT (id) DO NOTHING"
)
_LOCK: Final = "SELECT id, space FROM note_spaces WHERE id = ANY(%s::text[]) ORDER BY id FOR UPDATE"
_CLAIM_PASSAGES: Final = (
    "INSERT INTO passage_spaces SELECT id, %s FROM unnest(%s::text[]) g (id) ORDER BY id"
    " ON CONFLICT (id) DO NOTHING RETURNING id"
)
_USAGE: Final = (
    "INSERT INTO usage SELECT %s, *, 0, 0 FROM unnest(%s::text[], %s::timestamptz[]) ON CONFLICT"
    " DO NOTHING"
)
_NOTE: Final = (
    "space, id, path, title, summary, excerpt, text, created_at, modified_at, importance,"
    " session, project, tags, traits, grams"
)
_PASSAGE: Final = "space, id, note, place, written, title, heading, first_line, last_line, text"
_KNOWN: Final = "SELECT id, title, tags, path FROM notes WHERE space = %s AND id = ANY(%s::text[])"
_KEPT: Final = (
    f"SELECT p.place, {PASSAGE_COLUMNS} FROM passages p"
    " WHERE p.space = %s AND p.note = ANY(%s::text[])"
)

Differences = dict[str, Difference]


class PostgresWriter:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def put(self, documents: Iterable[Document]) -> None:
        incoming = {one.note.id: checked(one) for one in documents}
        if incoming:
            self._connections.write(lambda connection: put_all(connection, incoming))

    def remove(self, note_ids: Iterable[str]) -> int:
        wanted = [one for one in dict.fromkeys(note_ids) if is_keepable(one)]
        removed: set[str] = set()  # a second try finds nothing where the first one went through
        if wanted:
            self._connections.write(lambda connection: removed.update(_remove(connection, wanted)))
        return len(removed)

    def set_aliases(self, space: str, aliases: Mapping[str, tuple[str, ...]]) -> None:
        self._connections.write(lambda connection: put_aliases(connection, space, aliases))


def put_all(connection: Connection, incoming: Mapping[str, Document]) -> None:
    spaces = {one.note.space for one in incoming.values()}
    holding_still(connection, spaces)
    languages = languages_of(connection, spaces)
    ready = [prepared(one, languages[one.note.space]) for one in incoming.values()]
    differences: Differences = defaultdict(Difference)
    moved = _settle_in(connection, incoming, differences)
    for space in sorted(spaces):
        own = [one for one in ready if one.document.note.space == space]
        _put_space(connection, space, own, moved, differences[space])
    keep(connection, differences)


def put_aliases(connection: Connection, space: str, aliases: Mapping[str, Sequence[str]]) -> None:
    connection.execute("DELETE FROM aliases WHERE space = %s", (space,))
    for place, (name, others) in enumerate(by_key(aliases).items()):
        connection.execute(
            "INSERT INTO aliases VALUES (%s, %s, %s, %s)", (space, name, place, list(others))
        )


def _remove(connection: Connection, note_ids: Sequence[str]) -> list[str]:
    homes: dict[str, list[str]] = defaultdict(list)
    for note_id, space in connection.execute(_LOCK, (list(note_ids),)):
        homes[space].append(note_id)
    holding_still(connection, homes)
    differences: Differences = defaultdict(Difference)
    for space, ids in homes.items():
        remove_notes(connection, space, ids, differences[space])
    keep(connection, differences)
    return [note_id for ids in homes.values() for note_id in ids]


def _settle_in(
    connection: Connection, incoming: Mapping[str, Document], differences: Differences
) -> set[str]:
    """Every note has its line in the directory, locked; those that were in another space move."""
    moved = set()
    homes = {note_id: one.note.space for note_id, one in incoming.items()}
    connection.execute(_CLAIM, (list(homes), list(homes.values())))
    for note_id, before in connection.execute(_LOCK, (list(homes),)).fetchall():
        if before != homes[note_id]:
            holding_still(connection, [before])
            move(connection, note_id, (before, homes[note_id]), differences)
            moved.add(note_id)
    return moved


def _put_space(
    connection: Connection,
    space: str,
    ready: Sequence[Prepared],
    moved: set[str],
    difference: Difference,
) -> None:
    known = _known(connection, space, [one.document.note.id for one in ready])
    for note_id in moved & known.keys():
        known[note_id].named = None  # its words stayed behind
    made = revision(ready, known)
    reworded = [piece.passage.id for piece in made.reworded]
    forget_words(connection, space, [*made.lost, *reworded], difference)
    forget_passages(connection, space, made.lost, difference)
    free_passages(connection, made.gone)
    _claim_passages(connection, space, [piece.passage.id for piece in made.added])
    _put_notes(connection, space, [one.document for one in ready])
    _put_pieces(connection, space, made)
    for piece in made.spoken_anew:
        difference.add(piece.words)


def _known(connection: Connection, space: str, ids: list[str]) -> dict[str, Known]:
    found = {
        note_id: Known((given(title), tuple(tags), path))
        for note_id, title, tags, path in connection.execute(_KNOWN, (space, ids))
    }
    for place, *columns in connection.execute(_KEPT, (space, ids)):
        passage = passage_of(columns)
        found.setdefault(passage.note_id, Known()).passages[passage.id] = (place, passage)
    return found


def _claim_passages(connection: Connection, space: str, ids: list[str]) -> None:
    if not ids:
        return
    claimed = {one for (one,) in connection.execute(_CLAIM_PASSAGES, (space, ids))}
    for one in ids:
        if one not in claimed:
            raise BadInput("passages", one, "is the id of another note's passage")


def _put_notes(connection: Connection, space: str, documents: Sequence[Document]) -> None:
    ids = [one.note.id for one in documents]
    connection.execute("DELETE FROM notes WHERE space = %s AND id = ANY(%s::text[])", (space, ids))
    connection.execute(
        "DELETE FROM links WHERE space = %s AND source = ANY(%s::text[])", (space, ids)
    )
    connection.execute(_USAGE, (space, ids, [one.note.created_at for one in documents]))
    copy(connection, f"notes ({_NOTE})", map(_note_values, documents))
    links = (
        (space, one.note.id, place, link.target, link.kind)
        for one in documents
        for place, link in enumerate(one.note.links)
    )
    copy(connection, "links (space, source, place, target, kind)", links)


def _note_values(document: Document) -> tuple[object, ...]:
    note = document.note
    return (
        *(note.space, note.id, note.path),
        *map(kept, (note.title, note.summary, note.text[:EXCERPT], note.text)),
        *(note.created_at, note.modified_at, note.importance, note.session, note.project),
        *(list(note.tags), sorted(document.traits), sorted(grams(slug_text(note.path)))),
    )


def _put_pieces(connection: Connection, space: str, made: Revision) -> None:
    if made.added or made.changed:
        number = connection.execute("SELECT nextval('changes')").fetchone()
        written = number[0] if number else 0
        rows = (_passage_values(space, one, written) for one in (*made.added, *made.changed))
        copy(connection, f"passages ({_PASSAGE})", rows)
    put_words(connection, space, made.spoken_anew)
    for piece in made.replaced:
        connection.execute(
            "UPDATE passages SET place = %s WHERE space = %s AND id = %s",
            (piece.place, space, piece.passage.id),
        )


def put_words(connection: Connection, space: str, pieces: Iterable[Piece]) -> None:
    rows = (
        (space, one.passage.id, one.passage.note_id, one.words.length, one.words.vector)
        for one in pieces
    )
    copy(connection, "words (space, id, note, length, words)", rows)


def _passage_values(space: str, piece: Piece, written: int) -> tuple[object, ...]:
    one = piece.passage
    return (
        *(space, one.id, one.note_id, piece.place, written),
        *(kept(one.title), list(map(kept, one.heading)), one.first_line, one.last_line),
        kept(one.text),
    )


def copy(
    connection: Connection, into: str, rows: Iterable[tuple[Any, ...]], form: str = "text"
) -> None:
    statement = f"COPY {into} FROM STDIN (FORMAT {form})"
    with connection.cursor() as cursor, cursor.copy(statement) as copying:
        for row in rows:
            copying.write_row(row)
