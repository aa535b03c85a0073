"""Rows of the file in, notes, passages and facts out. Pure."""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from recollect.model.note import Facts, Link, Note, Passage, Usage
from recollect.stores.sqlite.listing import unpacked
from recollect.stores.sqlite.moments import moment

PASSAGE_COLUMNS: Final = "p.id, n.id, p.text, p.title, p.heading, p.first_line, p.last_line"
NOTE_COLUMNS: Final = (
    "n.id, n.space, n.created_at, n.modified_at, n.path, n.title, n.summary, n.importance,"
    " n.session, n.project, n.tags"
)
FACT_COLUMNS: Final = (
    "n.id, n.path, n.title, n.summary, n.excerpt, n.created_at, n.modified_at, n.importance,"
    " n.space, n.session, n.tags, n.traits, u.accessed_at, u.access_count, u.exposures, p.id"
)


@lru_cache(maxsize=1_000)  # a few kinds of notes, however many notes
def _traits(text: str) -> frozenset[str]:
    return frozenset(json.loads(text))


def passage_of(columns: Sequence[Any]) -> Passage:
    passage_id, note_id, text, title, heading, first_line, last_line = columns
    return Passage(passage_id, note_id, text, title, unpacked(heading), first_line, last_line)


def note_of(columns: Sequence[Any], text: str, links: Sequence[tuple[str, str]]) -> Note:
    note_id, space, created, modified, path, title, summary, importance, *rest = columns
    session, project, tags = rest
    return Note(
        id=note_id,
        space=space,
        text=text,
        created_at=moment(created),
        modified_at=moment(modified),
        path=path,
        title=title,
        summary=summary,
        importance=importance,
        session=session,
        project=project,
        tags=unpacked(tags),
        links=tuple(Link(target, kind) for target, kind in links),
    )


def facts_of(columns: Sequence[Any], backlinks: int, superseded: bool) -> Facts:  # noqa: FBT001
    note_id, path, title, summary, excerpt, created, modified, importance, *rest = columns
    space, session, tags, traits, accessed, access_count, exposures, lead = rest
    return Facts(
        note_id=note_id,
        path=path,
        title=title,
        summary=summary,
        excerpt=excerpt,
        created_at=moment(created),
        modified_at=moment(modified),
        importance=importance,
        space=space,
        session=session,
        tags=unpacked(tags),
        traits=_traits(traits),
        backlinks=backlinks,
        superseded=superseded,
        usage=Usage(moment(accessed), access_count, exposures),
        lead_passage=lead,
    )
