"""What a search's answer looks like, for the OpenAPI document. `Answer.as_dict` makes it; the fuzz
over the document holds the two together."""

from typing import Annotated, Any

from pydantic import Field

from recollect.faces.http.told import Stamp, Told
from recollect.faces.http.weights import Source
from recollect.model.answer import Degraded
from recollect.model.query import MAX_WEIGHT, Mode

Rank = Annotated[int, Field(ge=1)]
Amount = Annotated[int, Field(ge=0)]
Milliseconds = Annotated[float, Field(ge=0)]


class ShareShape(Told):
    """What one leg gave."""

    rank: Rank
    score: float
    """On the leg's own scale."""
    weight: Annotated[float, Field(ge=0, le=MAX_WEIGHT)]
    contribution: float


class FactorShape(Told):
    name: str
    factor: float
    why: str


class BonusShape(Told):
    name: str
    bonus: float
    why: str


class JudgedShape(Told):
    """Where the reranker moved a result from, and the score it moved it for."""

    score: float
    rank_before: Rank


class ResultShape(Told):
    id: str
    """Of the passage that is shown."""
    note_id: str
    path: str
    title: str
    snippet: str
    highlights: list[tuple[Amount, Amount]]
    """From where to where in the snippet, counted in characters."""
    heading: list[str]
    lines: tuple[Amount, Amount]
    score: float
    score_normalised: float
    rank: Rank
    legs: dict[str, ShareShape]
    adjustments: list[FactorShape | BonusShape]
    judged: JudgedShape | None
    space: str
    session: str | None
    tags: list[str]
    importance: float
    created_at: Stamp | None
    modified_at: Stamp | None


class DegradationShape(Told):
    part: str
    code: Degraded
    why: str


class AttemptShape(Told):
    """One rung of the retry ladder."""

    strategy: str
    query: str
    hits: Amount


class TraceShape(Told):
    recipe: str
    mode_asked: Mode
    mode: Mode
    fell_back: bool
    compiled: str
    remarks: list[str]
    leg_counts: dict[str, Amount]
    leg_ms: dict[str, Milliseconds]
    stage_ms: dict[str, Milliseconds]
    attempts: list[AttemptShape]
    broadened: bool
    pool: Amount
    candidates: Amount
    below_floor: Amount
    unanimity: int | None
    reranked: bool
    rerank_skipped_reason: str | None
    error_stage: str | None
    fusion: str
    tie_break: str
    leg_best: dict[str, float]


class SettingShape(Told):
    value: Annotated[float, Field(ge=0, le=MAX_WEIGHT)]
    source: Source


class AnswerShape(Told):
    results: list[ResultShape]
    took_ms: Milliseconds
    degraded: list[DegradationShape]
    trace: TraceShape
    no_relevant_match: bool | None
    settings: dict[str, SettingShape] = Field(default_factory=dict)
    """Each weight and where it was set; only of an explained search."""
    search_id: str = ""
    """Under which it can be settled again; only of an explained search."""
    gathered_again: bool = False
    """Whether settling had to ask the legs again; only when settled."""


ANSWERED: dict[int | str, dict[str, Any]] = {200: {"model": AnswerShape}}
