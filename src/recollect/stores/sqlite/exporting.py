"""An open store in, JSON Lines out: everything a person put in, and nothing that can be derived.

A header comes first and a footer last, so that a cut-off file is known as one. All lines are of
one moment: writers may go on meanwhile.
"""

import json
import sqlite3
from base64 import b64encode
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from recollect.model.note import Note, Passage
from recollect.stores.sqlite import SQLiteStore
from recollect.stores.sqlite.contents import contents
from recollect.stores.sqlite.fresh import models

FORMAT: Final = "recollect export"
VERSION: Final = 1


def export_lines(opened: SQLiteStore, *, vectors: bool = True) -> Iterator[str]:
    with opened.connections.reading() as connection:
        yield _line({"format": FORMAT, "version": VERSION})
        written = 0
        for record in _records(connection, vectors=vectors):
            written += 1
            yield _line(record)
        yield _line({"end": written})


def _records(connection: sqlite3.Connection, *, vectors: bool) -> Iterator[dict[str, Any]]:
    yield from _notes(connection)
    for space, name, others in connection.execute(
        "SELECT space, name, others FROM aliases ORDER BY space, place"
    ):
        yield {"alias": {"space": space, "name": name, "others": json.loads(others)}}
    for space, session, project in connection.execute("SELECT * FROM sessions"):
        yield {"session": {"space": space, "session": session, "project": project}}
    for owner, name, value in connection.execute("SELECT * FROM settings"):
        yield {"setting": {"owner": owner, "name": name, "value": json.loads(value)}}
    for space, path, record in connection.execute("SELECT * FROM files"):
        yield {"file": {"space": space, "path": path, "record": record}}
    if vectors:
        yield from _vectors(connection)


def _notes(connection: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    for content in contents(connection):
        document, usage = content.document, content.usage
        yield {
            "note": _note(document.note),
            "passages": [_passage(passage) for passage in document.passages],
            "traits": sorted(document.traits),
            "usage": {
                "accessed_at": _told(usage.accessed_at),
                "access_count": usage.access_count,
                "exposures": usage.exposures,
            },
        }


def _vectors(connection: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    for model in models(connection):
        found = connection.execute(
            "SELECT p.id, v.vector FROM vectors v JOIN passages p ON p.row = v.passage"
            " WHERE v.model = ? ORDER BY v.passage",
            (model.row,),
        )
        for passage_id, vector in found:
            encoded = b64encode(vector).decode()
            yield {"vector": {"model": model.identity, "passage": passage_id, "float32": encoded}}


def _note(note: Note) -> dict[str, Any]:
    return {
        "id": note.id,
        "space": note.space,
        "text": note.text,
        "created_at": _told(note.created_at),
        "modified_at": _told(note.modified_at),
        "path": note.path,
        "title": note.title,
        "summary": note.summary,
        "importance": note.importance,
        "session": note.session,
        "project": note.project,
        "tags": list(note.tags),
        "links": [{"target": link.target, "kind": link.kind} for link in note.links],
    }


def _passage(passage: Passage) -> dict[str, Any]:
    return {
        "id": passage.id,
        "text": passage.text,
        "title": passage.title,
        "heading": list(passage.heading),
        "first_line": passage.first_line,
        "last_line": passage.last_line,
    }


def _told(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))
