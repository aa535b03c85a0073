"""What comes back: results with their reasons, and the trace of how they came about. Frozen."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Literal

Degraded = Literal["absent", "failed", "late", "warming", "partial"]
"""Why a part of the search is missing: no such part here, it broke, it missed the deadline,
it is still loading, or it does not cover every note yet."""


@dataclass(frozen=True, slots=True)
class Share:
    """What one leg gave to one result."""

    rank: int
    score: float
    weight: float
    contribution: float


@dataclass(frozen=True, slots=True)
class Step:
    """One adjustment, applied in order: a factor multiplies, a bonus adds."""

    name: str
    kind: Literal["factor", "bonus"]
    amount: float
    why: str

    def apply(self, score: float) -> float:
        return score * self.amount if self.kind == "factor" else score + self.amount


@dataclass(frozen=True, slots=True)
class Judged:
    """Where the reranker moved a result from, and the score it moved it for."""

    score: float
    rank_before: int


@dataclass(frozen=True, slots=True)
class Result:
    id: str
    note_id: str
    path: str
    title: str
    snippet: str
    score: float
    score_normalised: float
    rank: int
    legs: Mapping[str, Share]
    adjustments: tuple[Step, ...]
    judged: Judged | None = None
    highlights: tuple[tuple[int, int], ...] = ()
    heading: tuple[str, ...] = ()
    lines: tuple[int, int] = (1, 1)
    space: str = ""
    session: str | None = None
    tags: tuple[str, ...] = ()
    importance: float = 0.5
    created_at: datetime | None = None
    modified_at: datetime | None = None

    def replayed(self) -> float:
        """The score once more, from its parts: contributions, then adjustments in order (R0.11)."""
        score = math.fsum(share.contribution for share in self.legs.values())
        for step in self.adjustments:
            score = step.apply(score)
        return score


@dataclass(frozen=True, slots=True)
class Degradation:
    """One thing this answer had to do without."""

    part: str
    code: Degraded
    why: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """One rung of the retry ladder."""

    strategy: str
    query: str
    hits: int


@dataclass(frozen=True, slots=True)
class Trace:
    """How the answer came about, with the same field meanings on every face (R2.11)."""

    recipe: str
    mode_asked: str
    mode: str
    fell_back: bool
    compiled: str
    remarks: tuple[str, ...] = ()
    leg_counts: Mapping[str, int] = field(default_factory=dict)
    leg_ms: Mapping[str, float] = field(default_factory=dict)
    stage_ms: Mapping[str, float] = field(default_factory=dict)
    attempts: tuple[Attempt, ...] = ()
    broadened: bool = False
    pool: int = 0
    candidates: int = 0
    below_floor: int = 0
    unanimity: int | None = None
    reranked: bool = False
    rerank_skipped_reason: str | None = None
    error_stage: str | None = None
    fusion: str = ""
    tie_break: str = ""
    leg_best: Mapping[str, float] = field(default_factory=dict)
    """The best score of each leg that found something, on the leg's own scale."""


@dataclass(frozen=True, slots=True)
class Answer:
    results: tuple[Result, ...]
    took_ms: float
    degraded: tuple[Degradation, ...]
    trace: Trace
    no_relevant_match: bool | None = None
    """Whether nothing here looks better than what off-corpus questions find; None: not calibrated."""

    def as_dict(self) -> dict[str, object]:
        """The one response shape, ready for JSON, the same on every face."""
        return {
            "results": [_result_dict(result) for result in self.results],
            "took_ms": self.took_ms,
            "degraded": [asdict(degradation) for degradation in self.degraded],
            "trace": asdict(self.trace),
            "no_relevant_match": self.no_relevant_match,
        }


def _result_dict(result: Result) -> dict[str, object]:
    shape = asdict(result)
    shape["adjustments"] = [
        {"name": step.name, step.kind: step.amount, "why": step.why} for step in result.adjustments
    ]
    for name in ("created_at", "modified_at"):
        moment = getattr(result, name)
        shape[name] = None if moment is None else moment.isoformat()
    return shape
