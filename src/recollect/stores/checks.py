"""What no store keeps. Pure."""

import numpy as np

from recollect.model.errors import BadInput
from recollect.model.note import Document
from recollect.ports import Vector


def checked(document: Document) -> Document:
    note = document.note
    if not document.passages:
        raise BadInput("passages", note.id, "has none; a note needs at least one passage")
    for passage in document.passages:
        if passage.note_id != note.id:
            raise BadInput("passages", passage.id, f"belongs to another note: {passage.note_id}")
    if len({passage.id for passage in document.passages}) < len(document.passages):
        raise BadInput("passages", note.id, "has two of the same id")
    return document


def checked_vector(vector: Vector) -> Vector:
    made = np.ascontiguousarray(vector, "<f4")
    if made.ndim != 1 or not np.isfinite(made).all():
        raise BadInput("vector", vector, "is not a list of finite numbers; embed the text again")
    return made
