"""What requests look like: nothing unknown is let in, and no text passes for a number."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
)

from recollect.faces.moments import moment_of
from recollect.model.errors import BadInput
from recollect.model.note import LEVELS, Note, importance_of
from recollect.model.query import MAX_LIMIT, MAX_WEIGHT, weight_of

MAX_TEXT = 1_000_000
MAX_LIST = 10_000

Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Id = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^/]+$")]
"""An id stands in addresses, where a slash would end it."""
Text = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT)]
Title = Annotated[str, StringConstraints(max_length=2_000)]
Moment = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Count = Annotated[int, Field(ge=1, le=MAX_LIMIT)]
Skip = Annotated[int, Field(ge=0, le=10_000_000)]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class Parameters(BaseModel):
    """Of a query string, where every value is text at first."""

    model_config = ConfigDict(extra="forbid")


def _weight(value: object) -> object:
    return value if value is None else weight_of("weight", value)


Weight = Annotated[float, Field(ge=0, le=MAX_WEIGHT), BeforeValidator(_weight)]


def _importance(value: object) -> float:
    return importance_of(value)


Importance = Annotated[
    float,
    BeforeValidator(_importance),
    WithJsonSchema(
        {"anyOf": [{"type": "number", "minimum": 0, "maximum": 1}, {"enum": sorted(LEVELS)}]}
    ),
]


def stamp(field: str, text: str | None, now: datetime) -> datetime:
    """A moment that is kept: given, or now."""
    found = moment_of(field, text, now) or now
    if found.year < 1700 or found.year > 9000:
        raise BadInput(field, text, "is not a year from 1700 to 9000")
    return found


def note_shape(note: Note) -> dict[str, Any]:
    return {
        "id": note.id,
        "space": note.space,
        "path": note.path,
        "title": note.title,
        "text": note.text,
        "summary": note.summary,
        "importance": note.importance,
        "tags": list(note.tags),
        "session": note.session,
        "project": note.project,
        "links": [{"target": link.target, "kind": link.kind} for link in note.links],
        "created_at": note.created_at.isoformat(),
        "modified_at": note.modified_at.isoformat(),
    }
