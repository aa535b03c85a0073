"""A session's transcript in, its turns stored as episodes: found by words now, embedded later."""

from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from recollect.ingest.transcript import Turn, turns_of
from recollect.model.errors import BadInput
from recollect.model.note import LEVELS, Note

if TYPE_CHECKING:
    from recollect.open import Library

READ: Final = 8_000_000
"""Bytes of a transcript's end that are looked at: far more than one session's turns."""
LONGEST: Final = 4_000
"""Characters kept of an answer: an episode tells what happened, it is not the transcript."""
QUEUE: Final = 2_000
"""Passages that are embedded after an event; more than that is work for `recollect index`."""


def capture(
    event: Mapping[str, Any], session: str, space: str, project: str | None, library: "Library"
) -> int:
    """How many turns were new. A turn that is stored already is left as it is."""
    found = {_id(session, turn): turn for turn in _turns(event)}
    known = library.store.shelf.notes(found)
    fresh = {note_id: turn for note_id, turn in found.items() if note_id not in known}
    now = library.clock.now()
    return library.learn(
        Note(
            id=note_id,
            space=space,
            text=_shortened(turn),
            created_at=turn.at or now,
            modified_at=turn.at or now,
            importance=LEVELS["low"],  # nobody chose to remember it
            session=session,
            project=project,
            tags=("episode",),
        )
        for note_id, turn in fresh.items()
    )


def embed_queue(library: "Library") -> int:
    """Vectors for what was stored without one."""
    return library.embed() if 0 < library.waiting() <= QUEUE else 0


def _turns(event: Mapping[str, Any]) -> list[Turn]:
    path = event.get("transcript_path")
    if not isinstance(path, str) or not path:
        raise BadInput("transcript_path", path, "is missing from the event")
    try:
        with Path(path).expanduser().open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - READ))
            text = file.read().decode("utf-8", "replace")
    except OSError as error:
        raise BadInput("transcript_path", path, f"cannot be read: {error.strerror}") from error
    return turns_of(text.splitlines())


def _id(session: str, turn: Turn) -> str:
    return blake2b(f"{session}\n{turn.id}".encode("utf-8", "replace"), digest_size=8).hexdigest()


def _shortened(turn: Turn) -> str:
    text = turn.text
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
