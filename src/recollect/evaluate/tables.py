"""Outcomes, comparisons and sweeps in; lines of text out, for a terminal. Pure."""

import math
from collections.abc import Iterable, Iterator, Sequence

from ir_measures.measures import Measure

from recollect.evaluate.compare import Comparison
from recollect.evaluate.measures import MAIN, mean
from recollect.evaluate.run import Outcome
from recollect.evaluate.sweep import Line, Sweep


def table(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The first column to the left, all others to the right, each as wide as it needs."""
    cells = [tuple(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for first, *rest in cells:
        aligned = (cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))
        yield "  ".join((first.ljust(widths[0]), *aligned)).rstrip()


def outcomes_table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """A row for each recipe; the measures are those of the first."""
    measures = tuple(outcomes[0].values)
    head = ("", *map(str, measures), "p50 ms", "p95 ms")
    yield from table([head, *(_row(one, measures) for one in outcomes)])


def strata_table(outcomes: Sequence[Outcome], measure: Measure = MAIN) -> Iterator[str]:
    """Nothing where there is one stratum only."""
    by = [one.by_stratum(measure) for one in outcomes]
    if len(by[0]) < 2:
        return
    counted = {name: list(outcomes[0].strata.values()).count(name) for name in by[0]}
    head = (f"{measure} by stratum", "questions", *(one.recipe for one in outcomes))
    rows = [(name, str(counted[name]), *(f"{own[name]:.4f}" for own in by)) for name in by[0]]
    yield from table([head, *rows])


def comparison_line(name: str, found: Comparison) -> tuple[str, ...]:
    return (
        name,
        f"{found.before:.4f}",
        f"{found.after:.4f}",
        f"{found.difference:+.4f}",
        interval(found),
        f"{found.p:.4f}",
        f"{found.won}/{found.lost}/{found.tied}",
        found.verdict,
    )


COMPARISON_HEAD = ("", "before", "after", "change", "95 % interval", "p", "won/lost/tied", "")


def comparison_table(rows: Iterable[tuple[str, Comparison]]) -> Iterator[str]:
    yield from table([COMPARISON_HEAD, *(comparison_line(name, one) for name, one in rows)])


def moved_table(found: Comparison) -> Iterator[str]:
    if found.moved:
        rows = [
            (
                one.question,
                f"{one.before:.3f}",
                f"{one.after:.3f}",
                f"{one.after - one.before:+.3f}",
            )
            for one in found.moved
        ]
        yield from table([("moved most", "before", "after", "change"), *rows])


def sweep_table(found: Sweep) -> Iterator[str]:
    chose, reported = found.questions
    yield (
        f"{found.collection} · {found.model} · chosen on {chose} questions, reported on {reported}"
        f" · better leg: {found.best_leg}"
    )
    for name, one in found.as_they_are.items():
        yield (
            f"{name} over all {one.questions} questions: {one.after:.4f}, {found.best_leg} alone"
            f" {one.before:.4f}, change {one.difference:+.4f} ({interval(one).strip()})"
        )
    head = (
        "method", "chosen", str(MAIN), "against rrf k=60", "95 % interval",
        f"against {found.best_leg}", "95 % interval",
    )  # fmt: skip
    rows = [
        (
            line.method,
            str(line.chosen),
            f"{line.reported:.4f}",
            f"{line.against_usual.difference:+.4f}",
            interval(line.against_usual),
            f"{line.against_best_leg.difference:+.4f}",
            interval(line.against_best_leg),
        )
        for line in found.lines
    ]
    yield from table([head, *rows])


def sweeps_summary(sweeps: Sequence[Sweep]) -> Iterator[str]:
    """Collections by methods; a star where a method beats rrf k=60 for sure, a minus where it loses."""
    methods = [line.method for line in sweeps[0].lines]
    rows = [
        (one.collection, str(one.questions[1]), *(_marked(line) for line in one.lines))
        for one in sweeps
    ]
    means = [mean(one.lines[at].reported for one in sweeps) for at in range(len(methods))]
    won = [_verdicts(sweeps, at, "against_usual") for at in range(len(methods))]
    legs = [_verdicts(sweeps, at, "against_best_leg") for at in range(len(methods))]
    yield from table(
        [
            (str(MAIN), "questions", *methods),
            *rows,
            ("mean", "", *(f"{value:.4f} " for value in means)),
            ("better/worse than rrf k=60", "", *won),
            ("better/worse than the better leg", "", *legs),
        ]
    )
    yield ""
    yield from _against_legs(sweeps)


def _against_legs(sweeps: Sequence[Sweep]) -> Iterator[str]:
    """Does fusing beat the better leg? Over all questions, since nothing was chosen by them."""
    names = list(sweeps[0].as_they_are)
    head = ("all questions", "", "better leg", *(cell for name in names for cell in (name, "95 %")))
    rows = [
        (
            one.collection,
            str(one.as_they_are[names[0]].questions),
            f"{one.best_leg} {one.as_they_are[names[0]].before:.4f}",
            *(c for n in names for c in _gain(one.as_they_are[n])),
        )
        for one in sweeps
    ]
    yield from table(
        [
            head,
            *rows,
            ("mean change", "", "", *(c for n in names for c in _mean_gain(sweeps, n))),
            ("better/worse", "", "", *(c for n in names for c in (_counted(sweeps, n), ""))),
        ]
    )


def _gain(found: Comparison) -> tuple[str, str]:
    return f"{found.after:.4f} ({found.difference:+.4f})", interval(found)


def _mean_gain(sweeps: Sequence[Sweep], name: str) -> tuple[str, str]:
    """Collections count alike; each brings the variance that its own interval speaks of."""
    found = [one.as_they_are[name] for one in sweeps]
    gain = mean(one.difference for one in found)
    half = math.sqrt(sum(((one.high - one.low) / 2) ** 2 for one in found)) / len(found)
    mark = "*" if abs(gain) > half else " "
    return f"{gain:+.4f}", f"{gain - half:+.4f} … {gain + half:+.4f}{mark}"


def _counted(sweeps: Sequence[Sweep], name: str) -> str:
    found = [one.as_they_are[name] for one in sweeps]
    return f"{sum(one.is_better for one in found)}/{sum(one.is_worse for one in found)}"


def _marked(line: Line) -> str:
    found = line.against_usual
    return f"{line.reported:.4f}" + ("*" if found.is_better else "-" if found.is_worse else " ")


def _verdicts(sweeps: Sequence[Sweep], at: int, against: str) -> str:
    found: list[Comparison] = [getattr(one.lines[at], against) for one in sweeps]
    return f"{sum(one.is_better for one in found)}/{sum(one.is_worse for one in found)} "


def interval(found: Comparison) -> str:
    mark = "*" if found.is_better or found.is_worse else " "
    return f"{found.low:+.4f} … {found.high:+.4f}{mark}"


def _row(outcome: Outcome, measures: Sequence[Measure]) -> tuple[str, ...]:
    overall, latency = outcome.overall(), outcome.latency()
    times = (f"{latency.p50:.1f}", f"{latency.p95:.1f}") if latency else ("–", "–")
    return (outcome.recipe, *(f"{overall[measure]:.4f}" for measure in measures), *times)
