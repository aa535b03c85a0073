"""Rows of the server in, notes, passages and facts out; and where an id's rows are."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from recollect.model.note import Facts, Link, Note, Passage, Usage
from recollect.stores.postgres.connections import Connection
from recollect.stores.postgres.scope import is_keepable
from recollect.stores.postgres.texts import given

PASSAGE_COLUMNS: Final = "p.id, p.note, p.text, p.title, p.heading, p.first_line, p.last_line"
NOTE_COLUMNS: Final = (
    "n.id, n.space, n.text, n.created_at, n.modified_at, n.path, n.title, n.summary, n.importance,"
    " n.session, n.project, n.tags"
)
FACT_COLUMNS: Final = (
    "n.id, n.path, n.title, n.summary, n.excerpt, n.created_at, n.modified_at, n.importance,"
    " n.space, n.session, n.tags, n.traits, u.accessed_at, u.access_count, u.exposures, p.id"
)


def by_space(
    connection: Connection, ids: Iterable[str], directory: str = "note_spaces"
) -> dict[str, list[str]]:
    """The spaces that hold these ids, and which ones each holds."""
    wanted = [one for one in dict.fromkeys(ids) if is_keepable(one)]
    found: dict[str, list[str]] = {}
    if wanted:
        statement = f"SELECT id, space FROM {directory} WHERE id = ANY(%s::text[])"
        for one, space in connection.execute(statement, (wanted,)):
            found.setdefault(space, []).append(one)
    return found


def located(
    connection: Connection, ids: Iterable[str], directory: str = "note_spaces"
) -> tuple[list[str], list[str]]:
    """The spaces that hold these ids, and those that are held. An id is of one space only, so that
    asking all of these spaces for all of these ids brings each once."""
    homes = by_space(connection, ids, directory)
    return list(homes), [one for own in homes.values() for one in own]


def passage_of(columns: Sequence[Any]) -> Passage:
    passage_id, note_id, text, title, heading, first_line, last_line = columns
    names = tuple(map(given, heading))
    return Passage(passage_id, note_id, given(text), given(title), names, first_line, last_line)


def note_of(columns: Sequence[Any], links: Iterable[tuple[str, str]]) -> Note:
    *leading, tags = columns
    made = [Link(target, kind) for target, kind in links]
    note_id, space, text, created, modified, path, title, summary, *rest = leading
    importance, session, project = rest
    return Note(
        id=note_id,
        space=space,
        text=given(text),
        created_at=created,
        modified_at=modified,
        path=path,
        title=given(title),
        summary=given(summary),
        importance=importance,
        session=session,
        project=project,
        tags=tuple(tags),
        links=tuple(made),
    )


def facts_of(columns: Sequence[Any], backlinks: int, *, superseded: bool) -> Facts:
    note_id, path, title, summary, excerpt, created, modified, importance, *rest = columns
    space, session, tags, traits, accessed, access_count, exposures, lead = rest
    return Facts(
        note_id=note_id,
        path=path,
        title=given(title),
        summary=given(summary),
        excerpt=given(excerpt),
        created_at=created,
        modified_at=modified,
        importance=importance,
        space=space,
        session=session,
        tags=tuple(tags),
        traits=frozenset(traits),
        backlinks=backlinks,
        superseded=superseded,
        usage=Usage(accessed, access_count, exposures),
        lead_passage=lead,
    )
