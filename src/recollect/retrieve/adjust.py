"""Fused scores and facts in, adjusted scores out, each change named. Pure.

An adjustment is a value: it says by how much a note's score changes and why. Factors multiply,
bonuses add, in the order the recipe lists them.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import add, mul
from typing import ClassVar, Literal, Protocol

from recollect.model.answer import Step
from recollect.model.note import Facts, is_high
from recollect.model.query import number_of, whole_of
from recollect.retrieve.fuse import DEFAULT_K
from recollect.retrieve.intent import Intent, factors

Kind = Literal["factor", "bonus"]
NEUTRAL: Mapping[Kind, float] = {"factor": 1.0, "bonus": 0.0}


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What an adjustment may know besides the note: the moment and the shape of this search."""

    now: datetime
    k: float = DEFAULT_K
    lists_fused: int = 1
    by_relevance: bool = True
    intent: Intent = field(default=Intent())
    exact: frozenset[str] = frozenset()


class Adjustment(Protocol):
    name: ClassVar[str]
    kind: ClassVar[Kind]

    @property
    def enabled(self) -> bool: ...
    def amounts(self, facts: Iterable[Facts], at: Circumstances) -> list[float]:
        """One per note: a thousand at a time must cost well under a millisecond."""
        ...

    def why(self, facts: Facts, at: Circumstances) -> str: ...


def rank_bonus(k: float, positions: int) -> float:
    """What it is worth, in reciprocal ranks, to stand first instead of so many places lower."""
    return 1.0 / (k + 1) - 1.0 / (k + 1 + positions)


@dataclass(frozen=True, slots=True)
class ImportanceBonus:
    """High importance is worth ten places, whatever k is (seed 000, R1.4)."""

    name: ClassVar[str] = "importance_bonus"
    kind: ClassVar[Kind] = "bonus"
    positions: int = 10
    enabled: bool = True

    def __post_init__(self) -> None:
        whole_of("positions", self.positions, low=1, high=1000)

    def amounts(self, facts: Iterable[Facts], at: Circumstances) -> list[float]:
        bonus = rank_bonus(at.k, self.positions)
        return [bonus if is_high(one.importance) else 0.0 for one in facts]

    def why(self, facts: Facts, at: Circumstances) -> str:
        return f"importance {facts.importance:g} is high: worth {self.positions} places"


@dataclass(frozen=True, slots=True)
class ImportancePrior:
    """Importance as a prior, not a list of its own (seed 001, R5.2).

    It holds back where a single list answered, so that this list keeps its own order (R5.3).
    """

    name: ClassVar[str] = "importance_prior"
    kind: ClassVar[Kind] = "factor"
    base: float = 0.7
    span: float = 0.3
    enabled: bool = True

    def __post_init__(self) -> None:
        number_of("base", self.base, low=0, high=1)
        number_of("span", self.span, low=0, high=1)

    def amounts(self, facts: Iterable[Facts], at: Circumstances) -> list[float]:
        if at.lists_fused < 2 or not at.by_relevance:
            return [1.0 for _ in facts]
        return [self.base + self.span * one.importance for one in facts]

    def why(self, facts: Facts, at: Circumstances) -> str:
        return f"{self.base:g} + {self.span:g} × importance {facts.importance:g}"


@dataclass(frozen=True, slots=True)
class Backlinks:
    """Notes that many others link to are central ones (seed 003, R3.2)."""

    name: ClassVar[str] = "backlinks"
    kind: ClassVar[Kind] = "factor"
    weight: float = 0.1
    cap: int = 10
    enabled: bool = True

    def __post_init__(self) -> None:
        number_of("weight", self.weight, low=0, high=5)
        whole_of("cap", self.cap, low=0, high=100_000)

    def amounts(self, facts: Iterable[Facts], at: Circumstances) -> list[float]:
        return [1 + self.weight * min(one.backlinks, self.cap) for one in facts]

    def why(self, facts: Facts, at: Circumstances) -> str:
        capped = f", counted as {self.cap}" if facts.backlinks > self.cap else ""
        plural = "note links" if facts.backlinks == 1 else "notes link"
        return f"{facts.backlinks} {plural} here{capped}"


@dataclass(frozen=True, slots=True)
class AgeTiers:
    """Fresh, recent, standard, older; a boundary belongs to the older tier (seed 003, R3.3)."""

    name: ClassVar[str] = "age"
    kind: ClassVar[Kind] = "factor"
    fresh_days: int = 14
    recent_days: int = 60
    old_days: int = 180
    fresh: float = 1.20
    recent: float = 1.10
    standard: float = 1.00
    older: float = 0.95
    enabled: bool = True

    def __post_init__(self) -> None:
        whole_of("fresh_days", self.fresh_days, low=0, high=36_500)
        whole_of("recent_days", self.recent_days, low=self.fresh_days, high=36_500)
        whole_of("old_days", self.old_days, low=self.recent_days, high=36_500)
        for name in ("fresh", "recent", "standard", "older"):
            number_of(name, getattr(self, name), low=0, high=5)

    def amounts(self, facts: Iterable[Facts], at: Circumstances) -> list[float]:
        return [self._tier((at.now - one.modified_at).days)[1] for one in facts]

    def why(self, facts: Facts, at: Circumstances) -> str:
        days = max(0, (at.now - facts.modified_at).days)  # a clock ahead of ours is no age
        return f"changed {days} {'day' if days == 1 else 'days'} ago: {self._tier(days)[0]}"

    def _tier(self, days: int) -> tuple[str, float]:
        if days < self.fresh_days:
            return "fresh", self.fresh
        if days < self.recent_days:
            return "recent", self.recent
        if days < self.old_days:
            return "standard", self.standard
        return "older", self.older


@dataclass(frozen=True, slots=True)
class IntentFactors:
    """Preference and concrete-fact questions favour the notes that answer them (seed 002, R2.8)."""

    name: ClassVar[str] = "intent"
    kind: ClassVar[Kind] = "factor"
    enabled: bool = True

    def amounts(self, facts: Iterable[Facts], at: Circumstances) -> list[float]:
        if not at.intent:
            return [1.0 for _ in facts]
        own = [one.traits for one in facts]
        products = {
            traits: math.prod(factor for _, factor in factors(at.intent, traits))
            for traits in set(own)  # a few kinds of notes, however many notes
        }
        return [products[traits] for traits in own]

    def why(self, facts: Facts, at: Circumstances) -> str:
        fired = factors(at.intent, facts.traits)
        return " · ".join(f"{reason} × {factor:g}" for reason, factor in fired)


@dataclass(frozen=True, slots=True)
class ExactMatch:
    """A note that holds the whole query word for word is worth a few places more (seed 001, R5.6)."""

    name: ClassVar[str] = "exact_match"
    kind: ClassVar[Kind] = "bonus"
    positions: int = 5
    enabled: bool = False

    def __post_init__(self) -> None:
        whole_of("positions", self.positions, low=1, high=1000)

    def amounts(self, facts: Iterable[Facts], at: Circumstances) -> list[float]:
        bonus = rank_bonus(at.k, self.positions)
        return [bonus if one.note_id in at.exact else 0.0 for one in facts]

    def why(self, facts: Facts, at: Circumstances) -> str:
        return f"holds the query word for word: worth {self.positions} places"


@dataclass(frozen=True, slots=True)
class Superseded:
    """What a newer memory replaced stays readable and steps back."""

    name: ClassVar[str] = "superseded"
    kind: ClassVar[Kind] = "factor"
    factor: float = 0.5
    enabled: bool = True

    def __post_init__(self) -> None:
        number_of("factor", self.factor, low=0, high=1)

    def amounts(self, facts: Iterable[Facts], at: Circumstances) -> list[float]:
        return [self.factor if one.superseded else 1.0 for one in facts]

    def why(self, facts: Facts, at: Circumstances) -> str:
        return "a newer note supersedes it"


def adjust(
    scores: Mapping[str, float],
    facts: Mapping[str, Facts],
    adjustments: Iterable[Adjustment],
    at: Circumstances,
) -> dict[str, float]:
    """Every score after all its adjustments; facts must hold every note scored."""
    in_order = [facts[note_id] for note_id in scores]
    adjusted = list(scores.values())
    for adjustment in adjustments:
        if not adjustment.enabled:
            continue
        amounts = adjustment.amounts(in_order, at)
        apply = mul if adjustment.kind == "factor" else add
        adjusted = list(map(apply, adjusted, amounts))
    return dict(zip(scores, adjusted, strict=True))


def steps(facts: Facts, adjustments: Sequence[Adjustment], at: Circumstances) -> tuple[Step, ...]:
    """The same changes for one note, with their reasons. One that changes nothing is left out."""
    found: list[Step] = []
    for adjustment in adjustments:
        [amount] = adjustment.amounts([facts], at)
        if adjustment.enabled and amount != NEUTRAL[adjustment.kind]:
            why = adjustment.why(facts, at)
            found.append(Step(adjustment.name, adjustment.kind, amount, why))
    return tuple(found)
