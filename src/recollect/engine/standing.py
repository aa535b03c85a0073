"""The candidates put in order: fused, adjusted, judged. The values behind every result's reasons."""

from collections.abc import Mapping
from dataclasses import dataclass

from recollect.engine.candidates import Candidates
from recollect.engine.judge import Verdict
from recollect.engine.plan import Plan
from recollect.model.tree import Phrase
from recollect.ports import Ports
from recollect.retrieve.adjust import Circumstances, ExactMatch
from recollect.retrieve.fuse import Fused
from recollect.retrieve.intent import intent_of
from recollect.retrieve.words import tokens


@dataclass(frozen=True, slots=True)
class Standing:
    """Where every candidate stands: `before` the judge spoke, and `order` after it."""

    candidates: Candidates
    fused: Fused
    at: Circumstances
    scores: Mapping[str, float]
    before: list[str]
    order: list[str]
    verdict: Verdict

    def normalised(self, note_id: str) -> float:
        """0 to 1: the share of the most that all legs together could give."""
        return (
            max(0.0, min(1.0, self.scores[note_id] / self.fused.most)) if self.fused.most else 0.0
        )


def circumstances(plan: Plan, fused: Fused, ports: Ports) -> Circumstances:
    return Circumstances(
        now=plan.query.now,
        k=plan.recipe.k,
        lists_fused=len(fused.rankings),
        by_relevance=plan.query.sort_by == "relevance",
        intent=intent_of(plan.query.text),
        exact=_word_for_word(plan, fused, ports),
    )


def _word_for_word(plan: Plan, fused: Fused, ports: Ports) -> frozenset[str]:
    """Which candidates hold the whole query as a phrase; asked only where a recipe rewards it."""
    rewarded = any(isinstance(one, ExactMatch) and one.enabled for one in plan.recipe.adjustments)
    words = tuple(tokens(plan.parsed.wording))
    if not rewarded or not words or not fused.scores:
        return frozenset()
    return ports.words.containing(Phrase(words), fused.scores)
