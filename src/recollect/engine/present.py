"""The kept notes as results with their reasons, and the trace of the whole search."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from recollect.engine.crew import Crew
from recollect.engine.gather import Gathered
from recollect.engine.plan import Plan
from recollect.engine.standing import Standing
from recollect.model.answer import Judged, Result, Trace
from recollect.model.note import Passage
from recollect.ports import Clock, Ports
from recollect.retrieve.adjust import steps
from recollect.retrieve.resolve import prefixes_of, words_of
from recollect.retrieve.snippet import Snippet, snippet


class Stopwatch:
    """Times the stages by name."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._began = clock.seconds()
        self.ms: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        began = self._clock.seconds()
        yield
        self.ms[name] = (self._clock.seconds() - began) * 1000

    def total_ms(self) -> float:
        return (self._clock.seconds() - self._began) * 1000


def present(
    kept: Sequence[str], standing: Standing, plan: Plan, ports: Ports
) -> tuple[Result, ...]:
    shown = standing.candidates.passages
    passages = ports.shelf.passages([shown[note_id] for note_id in kept]) if kept else {}
    cut = partial(snippet, words=words_of(plan.tree), prefixes=prefixes_of(plan.tree))
    return tuple(
        _result(note_id, rank, passages.get(shown[note_id]), cut, standing, plan)
        for rank, note_id in enumerate(kept, start=1)
    )


def _result(
    note_id: str,
    rank: int,
    passage: Passage | None,
    cut: Callable[[str], Snippet],
    standing: Standing,
    plan: Plan,
) -> Result:
    facts = standing.candidates.facts[note_id]
    cutting = cut(passage.text if passage else facts.excerpt)
    return Result(
        id=passage.id if passage else facts.lead_passage,
        note_id=note_id,
        path=facts.path,
        title=facts.title,
        snippet=cutting.text,
        highlights=cutting.highlights,
        heading=passage.heading if passage else (),
        lines=(passage.first_line, passage.last_line) if passage else (1, 1),
        score=standing.scores[note_id],
        score_normalised=standing.normalised(note_id),
        rank=rank,
        legs=standing.fused.shares(note_id),
        adjustments=steps(facts, plan.recipe.adjustments, standing.at),
        judged=_judged(note_id, standing),
        space=facts.space,
        session=facts.session,
        tags=facts.tags,
        importance=facts.importance,
        created_at=facts.created_at,
        modified_at=facts.modified_at,
    )


def _judged(note_id: str, standing: Standing) -> Judged | None:
    scores = standing.verdict.scores
    if note_id not in scores:
        return None
    return Judged(scores[note_id], standing.before.index(note_id) + 1)


def trace_of(
    plan: Plan,
    gathered: Gathered,
    standing: Standing,
    below_floor: int,
    crew: Crew,
    watch: Stopwatch,
) -> Trace:
    verdict = standing.verdict
    return Trace(
        recipe=plan.recipe.name,
        mode_asked=plan.query.mode,
        mode=plan.mode,
        fell_back=plan.fell_back,
        compiled=gathered.words.compiled,
        remarks=plan.parsed.remarks,
        leg_counts={one.leg: len(one.hits) for one in standing.candidates.rankings},
        leg_ms=dict(crew.ms),
        stage_ms=dict(watch.ms),
        attempts=gathered.words.attempts,
        broadened=gathered.words.broadened,
        pool=len(gathered.pool or ()),
        candidates=len(standing.scores),
        below_floor=below_floor,
        unanimity=verdict.agreed,
        reranked=bool(verdict.scores),
        rerank_skipped_reason=verdict.skipped,
        error_stage="bm25" if "words" in crew.failures else None,
        fusion=repr(plan.recipe.fusion),
        tie_break=plan.recipe.ties,
        leg_best={one.leg: one.hits[0].score for one in standing.candidates.rankings if one.hits},
    )
