"""Answers for a person to read: results with their snippets; bars where they are asked for."""

import sys

from recollect.faces.cli.paint import highlighted, paint, plain
from recollect.model.answer import Answer, Result
from recollect.retrieve.explain import bar, explain_answer


def show_answer(answer: Answer, *, explain: bool = False) -> None:
    most = max((one.score for one in answer.results), default=0.0)
    for result in answer.results:
        _show_result(result, most, explain=explain)
    for one in answer.degraded:
        print(paint(f"without {one.part} ({one.code}): {one.why}", "yellow"), file=sys.stderr)
    if answer.results and answer.no_relevant_match:
        doubt = "nothing here looks better than what unrelated questions find"
        print(paint(doubt, "yellow"), file=sys.stderr)
    if not answer.results:
        print("nothing found", file=sys.stderr)
    elif explain:
        _show_trace(answer)


def show_explained(answer: Answer) -> None:
    print(plain(explain_answer(answer)))


def _show_result(result: Result, most: float, *, explain: bool) -> None:
    name = plain(result.title or result.path or result.note_id)
    place = plain(f"{result.path or result.note_id}:{result.lines[0]}")
    trail = plain(" › ".join(result.heading))
    print(
        f"{paint(f'{result.rank:>2}.', 'dim')} {paint(name, 'bold')}  "
        f"{paint(place, 'cyan')}  {paint(trail, 'dim')}".rstrip()
    )
    if result.snippet:
        print(f"    {highlighted(result.snippet, result.highlights)}")
    if explain:
        _show_reasons(result, most)
    print()


def _show_reasons(result: Result, most: float) -> None:
    for leg, share in result.legs.items():
        drawn = bar(share.contribution, most)
        line = f"    {leg:<10} {share.contribution:.6f}  {drawn:<24}  "
        print(
            f"{line}{paint(f'rank {share.rank}, score {share.score:.4g} × {share.weight:g}', 'dim')}"
        )
    for step in result.adjustments:
        amount = f"× {step.amount:.4g}" if step.kind == "factor" else f"+ {step.amount:.6f}"
        print(f"    {step.name:<10} {amount:<34}  {paint(plain(step.why), 'dim')}")
    if result.judged:
        said = f"said {result.judged.score:.4g}, stood at {result.judged.rank_before}"
        print(f"    {'judge':<10} {said}")
    share_of_best = f"({result.score_normalised:.0%} of what is possible)"
    print(
        f"    {'score':<10} {paint(f'{result.score:.6f}', 'green')}  {paint(share_of_best, 'dim')}"
    )


def _show_trace(answer: Answer) -> None:
    trace = answer.trace
    found = " · ".join(f"{leg} {count}" for leg, count in trace.leg_counts.items())
    print(paint(f"{trace.recipe} · {trace.mode} · {trace.fusion} · found {found}", "dim"))
    for attempt in trace.attempts:
        print(paint(f"retry {attempt.strategy}: {attempt.query} · {attempt.hits} found", "dim"))
    print(paint(f"{trace.candidates} candidates in {answer.took_ms:.1f} ms", "dim"))
