"""What an evaluation decided about a part of a recipe, as data. Pure.

A part that was measured and admitted is switched on. One that was refused is left as the recipe, or
whoever asks, has it; either way the trace says what was measured.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from recollect.model.query import one_of
from recollect.recipes.recipe import Recipe, Rerank
from recollect.retrieve.adjust import ExactMatch

RERANK: Final = "rerank"
EXACT_MATCH: Final = "exact_match"
PARTS: Final = (RERANK, EXACT_MATCH)


@dataclass(frozen=True, slots=True)
class Decision:
    """A gain with its interval, a time, and what they were held against (R5.6, R5.7)."""

    recipe: str
    part: str
    admitted: bool
    measure: str
    gain: float
    low: float
    high: float
    bar: float
    p95_ms: float
    budget_ms: float
    questions: int
    p95_without_ms: float | None = None
    """Of the same searches in the same minutes: what the machine was like while it was measured."""

    def __post_init__(self) -> None:
        one_of("part", self.part, PARTS)

    def told(self) -> str:
        verdict = "admitted" if self.admitted else "not admitted"
        without = self.p95_without_ms
        beside = "" if without is None else f" ({without:.0f} without it)"
        return (
            f"{self.part} was measured and {verdict}: {self.measure} {self.gain:+.4f}"
            f" ({self.low:+.4f} … {self.high:+.4f}, must exceed {self.bar:g}) on {self.questions}"
            f" questions, p95 {self.p95_ms:.0f} ms of {self.budget_ms:g}{beside}"
        )

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def decisions_for(recipe: Recipe, kept: Mapping[str, Any]) -> tuple[Decision, ...]:
    """Those about this recipe, out of what a store keeps."""
    read = (Decision(**own) for _, own in sorted(kept.items()))
    return tuple(one for one in read if one.recipe == recipe.name)


def decided(recipe: Recipe, decisions: Iterable[Decision]) -> Recipe:
    for one in decisions:
        if one.admitted:
            recipe = with_part(recipe, one.part)
    return recipe


def with_part(recipe: Recipe, part: str, *, enabled: bool = True) -> Recipe:
    """The same recipe with the part on or off; one that has no such part gets it."""
    if part == RERANK:
        from_recipe = recipe.rerank or Rerank(document="passage")
        return replace(recipe, rerank=replace(from_recipe, enabled=enabled))
    own = recipe.adjustments
    if not any(isinstance(one, ExactMatch) for one in own):
        own = (*own, ExactMatch())
    switched = tuple(
        replace(one, enabled=enabled) if isinstance(one, ExactMatch) else one for one in own
    )
    return replace(recipe, adjustments=switched)
