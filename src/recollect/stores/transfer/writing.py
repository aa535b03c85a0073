"""Records in, JSON Lines out. Pure.

A header comes first and a footer last, so that a cut-off file is known as one.
"""

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from recollect.model.note import Note, Passage, Session
from recollect.model.records import Alias, FileLine, KeptNote, KeptVector, Record, Setting, is_own
from recollect.stores.transfer import FORMAT, VERSION

Json = dict[str, Any]


def lines_of(records: Iterable[Record]) -> Iterator[str]:
    yield _line({"format": FORMAT, "version": VERSION})
    written = 0
    for record in records:
        if not is_own(record):
            written += 1
            yield line_of(record)
    yield _line({"end": written})


def line_of(record: Record) -> str:
    return _line(_shape(record))


def _shape(record: Record) -> Json:
    match record:
        case KeptNote():
            return _kept_note(record)
        case Alias(space=space, name=name, others=others):
            return {"alias": {"space": space, "name": name, "others": list(others)}}
        case Session(space=space, id=session, project=project):
            return {"session": {"space": space, "session": session, "project": project}}
        case Setting(owner=owner, name=name, value=value):
            return {"setting": {"owner": owner, "name": name, "value": value}}
        case FileLine(space=space, path=path, line=line):
            return {"file": {"space": space, "path": path, "record": line}}
        case KeptVector(model=model, passage_id=passage_id, float32=float32):
            encoded = b64encode(float32).decode()
            return {"vector": {"model": model, "passage": passage_id, "float32": encoded}}


def _kept_note(kept: KeptNote) -> Json:
    document, usage = kept.document, kept.usage
    return {
        "note": _note(document.note),
        "passages": [_passage(passage) for passage in document.passages],
        "traits": sorted(document.traits),
        "usage": {
            "accessed_at": _told(usage.accessed_at),
            "access_count": usage.access_count,
            "exposures": usage.exposures,
        },
    }


def _note(note: Note) -> Json:
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


def _passage(passage: Passage) -> Json:
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


def _line(record: Json) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))
