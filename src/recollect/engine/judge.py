"""The rerank stage: whether a judge is asked at all, and what it said. Effects through the judge's port."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from recollect.engine.candidates import Candidates
from recollect.engine.crew import Crew
from recollect.engine.plan import Plan
from recollect.model.errors import EncoderError
from recollect.ports import Judge, Ports
from recollect.recipes.recipe import Rerank
from recollect.retrieve.rerank import agreements, is_unanimous, judged_text


@dataclass(frozen=True, slots=True)
class Verdict:
    """Scores for the head of the order, or the reason why there are none."""

    scores: Mapping[str, float] = field(default_factory=dict)
    skipped: str | None = None
    agreed: int | None = None


def ask_judge(
    order: Sequence[str], candidates: Candidates, plan: Plan, ports: Ports, crew: Crew
) -> Verdict:
    legs = {ranking.leg: ranking for ranking in candidates.rankings}
    agreed = agreements(legs.get("words"), legs.get("meaning"))
    rerank, judge = plan.recipe.rerank, ports.judge
    if not order:
        return Verdict(skipped="empty_candidates", agreed=agreed)
    if rerank is None or not rerank.enabled:
        return Verdict(skipped="disabled", agreed=agreed)
    if plan.query.sort_by != "relevance":
        return Verdict(skipped="sorted_by_fact", agreed=agreed)
    if judge is None:
        return Verdict(skipped="no_reranker", agreed=agreed)
    if rerank.skip_when_unanimous and is_unanimous(agreed):
        return Verdict(skipped="unanimity", agreed=agreed)
    head = order[: rerank.top_n]
    scores = crew.collect(
        crew.start("rerank", lambda: _scores(judge, plan, rerank, head, candidates, ports))
    )
    if scores is None:
        return Verdict(skipped="failed", agreed=agreed)
    return Verdict(dict(zip(head, scores, strict=True)), agreed=agreed)


def _scores(
    judge: Judge,
    plan: Plan,
    rerank: Rerank,
    head: Sequence[str],
    candidates: Candidates,
    ports: Ports,
) -> list[float]:
    scores = [
        float(s) for s in judge.judge(plan.parsed.wording, _texts(rerank, head, candidates, ports))
    ]
    if len(scores) != len(head):
        raise EncoderError(f"{judge.identity} gave {len(scores)} scores for {len(head)} texts")
    if not all(map(math.isfinite, scores)):
        raise EncoderError(f"{judge.identity} gave a score that is no number")
    return scores


def _texts(rerank: Rerank, head: Sequence[str], candidates: Candidates, ports: Ports) -> list[str]:
    titles = [judged_text(candidates.facts[note_id]) for note_id in head]
    if rerank.document == "title_summary":
        return titles
    shown = [candidates.passages[note_id] for note_id in head]
    passages = ports.shelf.passages(shown)
    return [
        passages[passage_id].text if passage_id in passages else title
        for passage_id, title in zip(shown, titles, strict=True)
    ]
