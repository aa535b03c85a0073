"""A note's id: made from space and path at first sight, kept through edits and renames. Pure."""

from collections.abc import Container
from hashlib import blake2b
from itertools import count
from typing import Final

ID_BYTES: Final = 10
"""80 bits: among ten million notes the chance that two share an id is 4e-11."""


def new_note_id(space: str, path: str, taken: Container[str]) -> str:
    """The same on every machine, unless a note renamed away from this path still bears it."""
    for attempt in count():
        seed = f"{space}\0{path}\0{attempt}" if attempt else f"{space}\0{path}"
        note_id = blake2b(seed.encode(), digest_size=ID_BYTES).hexdigest()
        if note_id not in taken:
            return note_id
    raise AssertionError("count() never ends")
