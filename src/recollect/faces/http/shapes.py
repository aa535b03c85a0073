"""What requests look like: nothing unknown is let in, and no text passes for a number."""

import re
from datetime import datetime
from functools import partial
from typing import Annotated, Final

from fastapi import Query
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
)

from recollect.faces.http.places import CHAT
from recollect.faces.moments import moment_of
from recollect.model.errors import BadInput
from recollect.model.note import LEVELS, importance_of
from recollect.model.query import MAX_LIMIT, MAX_WEIGHT, number_of, weight_of, whole_of

MAX_TEXT = 1_000_000
MAX_LIST = 10_000

Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Id = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^/]+$")]
"""An id stands in addresses, where a slash would end it."""
Text = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT)]
Title = Annotated[str, StringConstraints(max_length=2_000)]
Moment = Annotated[str, StringConstraints(min_length=1, max_length=64)]


def within(name: str, low: float, high: float) -> BeforeValidator:
    """Said as a whole range: a bound that was not broken is worth knowing too."""
    return BeforeValidator(partial(number_of, name, low=low, high=high))


def _whole(low: int, high: int) -> BeforeValidator:
    return BeforeValidator(partial(whole_of, "count", low=low, high=high))


def _read(text: object) -> object:
    """A query string is text; what is no number is refused as it stands."""
    return int(text) if isinstance(text, str) and _INTEGER.fullmatch(text) else text


_INTEGER: Final = re.compile("-?[0-9]{1,18}")

MAX_SKIP: Final = 10_000_000
Count = Annotated[int, Field(ge=1, le=MAX_LIMIT), _whole(1, MAX_LIMIT)]
CountRead = Annotated[Count, BeforeValidator(_read)]
SkipRead = Annotated[int, Field(ge=0, le=MAX_SKIP), _whole(0, MAX_SKIP), BeforeValidator(_read)]


class Body(BaseModel):
    model_config = ConfigDict(
        extra="forbid", strict=True, allow_inf_nan=False, use_attribute_docstrings=True
    )


class Parameters(BaseModel):
    """Of a query string, where every value is text at first."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


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


class OfSpace(Parameters):
    space: Name = CHAT


InSpace = Annotated[OfSpace, Query()]
