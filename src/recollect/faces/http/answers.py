"""What a search's answer looks like, for the OpenAPI document. `Answer.as_dict` makes it; the fuzz
over the document holds the two together."""

from typing import Any

from pydantic import BaseModel, Field


class ShareShape(BaseModel):
    rank: int
    score: float
    weight: float
    contribution: float


class StepShape(BaseModel):
    """A factor multiplies, a bonus adds."""

    name: str
    why: str
    factor: float = 1.0
    bonus: float = 0.0


class ResultShape(BaseModel):
    id: str
    note_id: str
    path: str
    title: str
    snippet: str
    highlights: list[tuple[int, int]]
    heading: list[str]
    score: float
    score_normalised: float
    rank: int
    legs: dict[str, ShareShape]
    adjustments: list[StepShape]
    space: str
    session: str | None
    tags: list[str]
    importance: float
    created_at: str | None
    modified_at: str | None


class DegradationShape(BaseModel):
    part: str
    code: str
    why: str


class SettingShape(BaseModel):
    value: float
    source: str


class AnswerShape(BaseModel):
    """The one response shape; the last three only where they were asked for."""

    results: list[ResultShape]
    took_ms: float
    degraded: list[DegradationShape]
    trace: dict[str, Any]
    no_relevant_match: bool | None
    settings: dict[str, SettingShape] = Field(default_factory=dict)
    search_id: str = ""
    gathered_again: bool = False


ANSWERED: dict[int | str, dict[str, Any]] = {200: {"model": AnswerShape}}
