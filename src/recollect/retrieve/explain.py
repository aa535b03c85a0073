"""An answer in, the text that shows its work out: every leg, every adjustment, the sum. Pure."""

from collections.abc import Iterator
from typing import Final

from recollect.model.answer import Answer, Result, Step, Trace

BAR_WIDTH: Final = 24
NAME_WIDTH: Final = 16
_EIGHTHS: Final = " ▏▎▍▌▋▊▉"


def explain_answer(answer: Answer) -> str:
    """The whole answer: results with their decompositions, what was missing, how it went."""
    most = max((result.score for result in answer.results), default=0.0)
    blocks = [explain_result(result, most) for result in answer.results]
    return "\n\n".join([*blocks, explain_trace(answer)])


def explain_result(result: Result, most: float = 0.0) -> str:
    """One result; bars are drawn to the scale of `most`, the best score on the page."""
    return "\n".join(_result_lines(result, most or result.score))


def explain_trace(answer: Answer) -> str:
    return "\n".join(_trace_lines(answer))


def bar(part: float, whole: float, width: int = BAR_WIDTH) -> str:
    """A bar as long as the part is of the whole, to an eighth of a character."""
    eighths = round(max(0.0, min(1.0, part / whole)) * width * 8) if whole > 0 else 0
    full, rest = divmod(eighths, 8)
    return "█" * full + (_EIGHTHS[rest] if rest else "")


def _result_lines(result: Result, most: float) -> Iterator[str]:
    name = result.title or result.path or result.note_id
    share = f"{result.score_normalised:.0%} of what is possible"
    yield f"{result.rank}. {name} · {result.score:.6f} · {share}"
    place = " › ".join(part for part in (result.path, *result.heading) if part)
    yield f"   {place}:{result.lines[0]}"
    if result.snippet:
        yield f"   {result.snippet}"
    for leg, share_of in result.legs.items():
        yield (
            f"   {leg:<{NAME_WIDTH}} rank {share_of.rank:<4} score {share_of.score:<12.6g}"
            f" weight {share_of.weight:<5g} + {share_of.contribution:.6f}"
            f" {bar(share_of.contribution, most)}"
        ).rstrip()
    for step in result.adjustments:
        yield f"   {step.name:<{NAME_WIDTH}} {_amount(step):>50}  {step.why}"
    if result.judged:
        judged = result.judged
        told = f"score {judged.score:.6g}"
        yield f"   {'judge':<{NAME_WIDTH}} {told:>50}  stood at {judged.rank_before} before"


def _amount(step: Step) -> str:
    return f"× {step.amount:g}" if step.kind == "factor" else f"+ {step.amount:.6f}"


def _trace_lines(answer: Answer) -> Iterator[str]:
    trace = answer.trace
    yield f"recipe {trace.recipe} · mode {_mode(trace)} · {trace.fusion} · ties by {trace.tie_break}"
    found = " · ".join(f"{leg} {count}" for leg, count in trace.leg_counts.items())
    pool = f" · pool {trace.pool}" if trace.pool else ""
    yield f"found {found or 'nothing'}{pool} · candidates {trace.candidates}"
    if trace.compiled:
        yield f"words asked for: {trace.compiled}{' · broadened' if trace.broadened else ''}"
    for remark in trace.remarks:
        yield f"note: {remark}"
    for attempt in trace.attempts:
        yield f"retry {attempt.strategy}: {attempt.query} · {attempt.hits} found"
    if trace.below_floor:
        yield f"left out below the floor: {trace.below_floor}"
    yield _rerank_line(trace)
    for one in answer.degraded:
        yield f"without {one.part} ({one.code}): {one.why}"
    timed = " · ".join(
        f"{name} {ms:.1f}" for name, ms in {**trace.leg_ms, **trace.stage_ms}.items()
    )
    yield f"took {answer.took_ms:.1f} ms ({timed})"


def _mode(trace: Trace) -> str:
    fallen = f", fell back from {trace.mode_asked}" if trace.fell_back else ""
    return trace.mode + fallen


def _rerank_line(trace: Trace) -> str:
    agreed = "" if trace.unanimity is None else f" · first three agree in {trace.unanimity}"
    if trace.reranked:
        return f"reranked{agreed}"
    return f"not reranked: {trace.rerank_skipped_reason}{agreed}"
