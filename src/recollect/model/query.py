"""What is asked: a query, its scope, and the tree its words are read into. Frozen words only."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, get_args

from recollect.model.errors import BadInput

Mode = Literal["auto", "bm25", "semantic", "hybrid"]
SortBy = Literal["relevance", "recency", "importance"]

MAX_LIMIT: Final = 1000
MAX_WEIGHT: Final = 5.0  # R0.2
MAX_QUERY_CHARACTERS: Final = 200_000
"""A pasted file is a fair prompt; a megabyte is an accident."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What may be seen. It reaches every leg inside its query; None means "not narrowed by this"."""

    spaces: frozenset[str]
    sessions: frozenset[str] | None = None
    projects: frozenset[str] | None = None
    tags: frozenset[str] = frozenset()
    since: datetime | None = None
    before: datetime | None = None
    excluded: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if not self.spaces:
            raise BadInput("scope.spaces", [], "names no space; every query names those it may see")
        for name in ("since", "before"):
            moment = getattr(self, name)
            if moment is not None and moment.tzinfo is None:
                raise BadInput(f"scope.{name}", moment, "needs a time zone")

    @classmethod
    def of(
        cls,
        *spaces: str,
        sessions: Iterable[str] | None = None,
        projects: Iterable[str] | None = None,
        tags: Iterable[str] = (),
        since: datetime | None = None,
        before: datetime | None = None,
        excluded: Iterable[str] = (),
    ) -> "Scope":
        return cls(
            spaces=frozenset(spaces),
            sessions=None if sessions is None else _names("sessions", sessions),
            projects=None if projects is None else _names("projects", projects),
            tags=_names("tags", tags),
            since=since,
            before=before,
            excluded=_names("excluded", excluded),
        )


def _names(field_name: str, names: Iterable[str]) -> frozenset[str]:
    if isinstance(names, str):
        raise BadInput(f"scope.{field_name}", names, "is one name; a list of names is meant")
    return frozenset(names)


@dataclass(frozen=True, slots=True)
class Query:
    """One question. `now` comes with it, so that the same query always has the same answer."""

    text: str
    scope: Scope
    now: datetime
    limit: int | None = None
    mode: Mode = "auto"
    sort_by: SortBy = "relevance"
    weights: Mapping[str, float] = field(default_factory=dict)
    deadline_ms: float | None = None
    skip_retry_ladder: bool = False
    floor: float | None = None
    """Leave out what scores below this, on the normalised 0..1 scale; None leaves it to the recipe."""

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise BadInput("query", self.text, "is not text")
        if len(self.text) > MAX_QUERY_CHARACTERS:
            raise BadInput("query", self.text, f"is longer than {MAX_QUERY_CHARACTERS} characters")
        if self.now.tzinfo is None:
            raise BadInput("now", self.now, "needs a time zone")
        if self.limit is not None:
            limit_of(self.limit)
        one_of("mode", self.mode, get_args(Mode))
        one_of("sort_by", self.sort_by, get_args(SortBy))
        if self.deadline_ms is not None:
            number_of("deadline_ms", self.deadline_ms, low=1, high=600_000)
        if self.floor is not None:
            number_of("floor", self.floor, low=0, high=1)
        for leg, weight in self.weights.items():
            weight_of(f"weights.{leg}", weight)


def one_of(field_name: str, value: object, allowed: Iterable[str]) -> str:
    choices = tuple(allowed)
    if not isinstance(value, str) or value not in choices:
        raise BadInput(field_name, value, f"is not one of {', '.join(choices)}")
    return value


def number_of(
    field_name: str, value: object, *, low: float = -math.inf, high: float = math.inf
) -> float:
    """A finite number within low..high; text that looks like a number is still text."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not _is_float(value) or not low <= value <= high:  # type: ignore[arg-type, operator]
        raise BadInput(field_name, value, f"is not a number{_range(low, high)}")
    return value  # type: ignore[return-value]


def _is_float(value: float) -> bool:
    """Whether it is finite as a float; a whole number may be too large to be one."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def whole_of(field_name: str, value: object, *, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise BadInput(field_name, value, f"is not a whole number{_range(low, high)}")
    return value


def weight_of(field_name: str, value: object) -> float:
    return number_of(field_name, value, low=0, high=MAX_WEIGHT)


def limit_of(value: object) -> int:
    return whole_of("limit", value, low=1, high=MAX_LIMIT)


def _range(low: float, high: float) -> str:
    if math.isinf(low) and math.isinf(high):
        return ""
    if math.isinf(high):
        return f" of at least {low:g}"
    return f" from {low:g} to {high:g}"
