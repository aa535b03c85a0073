"""Passages and notes in, the ids and payloads of Qdrant's points out. Pure.

A point's id is made of everything the passage says. A passage that changes is another point, so that
a vector of its old text, however late it arrives, is never taken for one of the new.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any, Final

from recollect.model.note import Note, Passage

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
KEYWORDS: Final = ("space", "session", "project", "tags", "note")
NUMBERS: Final = ("modified",)


def point_of(passage: Passage) -> str:
    """A UUID of the random kind, drawn from the passage itself."""
    said = (
        *(passage.id, passage.note_id, passage.text, passage.title),
        *(list(passage.heading), passage.first_line, passage.last_line),
    )
    packed = json.dumps(said, ensure_ascii=True).encode()
    digits = list(blake2b(packed, digest_size=16).hexdigest())
    digits[12], digits[16] = "4", "89ab"[int(digits[16], 16) % 4]
    text = "".join(digits)
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def traits_in(note: Note) -> dict[str, Any]:
    """What a scope asks about, as far as it is the note's own: whose project a session is in now
    only the store knows."""
    return {
        "space": note.space,
        "session": note.session,
        "project": note.project,
        "tags": sorted(set(note.tags)),
        "modified": stamp(note.modified_at),
    }


def payload_of(passage: Passage, note: Note) -> dict[str, Any]:
    return {"note": note.id, "passage": passage.id, **traits_in(note)}


def is_current(payload: Mapping[str, Any], note: Note) -> bool:
    return all(payload.get(name) == value for name, value in traits_in(note).items())


def stamp(moment: datetime) -> int:
    """Whole microseconds since 1970: exact in the 64-bit floats that Qdrant compares numbers as."""
    return (moment - _EPOCH) // timedelta(microseconds=1)
