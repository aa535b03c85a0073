"""Outcomes and sweeps in; JSON, and a page that needs nothing beside it, out. Pure."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from html import escape
from typing import Any, Final

from recollect.evaluate.abstain import Curve, curve_rows
from recollect.evaluate.collections import ALL
from recollect.evaluate.compare import Comparison, compared
from recollect.evaluate.measures import MAIN, measure_named
from recollect.evaluate.plots import bars, changes, histogram, lines
from recollect.evaluate.run import Outcome
from recollect.evaluate.runs import Run
from recollect.evaluate.sweep import Sweep
from recollect.evaluate.tables import (
    comparison_table,
    moved_table,
    outcomes_table,
    strata_table,
    sweep_table,
    sweeps_summary,
    table,
)
from recollect.model.errors import BadInput

STYLE: Final = """
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem }
pre { overflow-x: auto; font-size: 13px; line-height: 1.4 }
svg { max-width: 100%; height: auto; display: block; margin: .5rem 0 1.5rem }
svg text { font: 12px system-ui, sans-serif }
svg .group { font-weight: 600 }
svg .end { text-anchor: end }
svg .axis { stroke: currentColor; stroke-opacity: .4 }
"""


def outcome_dict(outcome: Outcome) -> dict[str, Any]:
    """Everything a later comparison needs, question by question."""
    latency = outcome.latency()
    return {
        "collection": outcome.collection,
        "recipe": outcome.recipe,
        "model": outcome.model,
        "questions": len(outcome.strata),
        "measures": {str(one): value for one, value in outcome.overall().items()},
        "strata": {str(one): outcome.by_stratum(one) for one in outcome.values},
        "latency_ms": asdict(latency) if latency else None,
        "per_question": {
            question: {"stratum": stratum}
            | {str(one): own[question] for one, own in outcome.values.items()}
            for question, stratum in outcome.strata.items()
        },
    }


def outcomes_of(text: str, source: str) -> list[Outcome]:
    """What `outcome_dict` wrote, one or a list of them; runs are not in it, only what they came to."""
    try:
        read = json.loads(text)
        return [_outcome(one) for one in (read if isinstance(read, list) else [read])]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput("outcome", source, f"is not what eval --json writes: {error!r}") from error


def _outcome(shape: Mapping[str, Any]) -> Outcome:
    asked: Mapping[str, Mapping[str, Any]] = shape["per_question"]
    return Outcome(
        collection=shape["collection"],
        recipe=shape["recipe"],
        model=shape["model"],
        run=Run(shape["recipe"], {}),
        values={
            measure_named(name): {question: float(own[name]) for question, own in asked.items()}
            for name in shape["measures"]
        },
        strata={question: own.get("stratum", ALL) for question, own in asked.items()},
    )


def comparison_dict(found: Comparison) -> dict[str, Any]:
    return asdict(found) | {"verdict": found.verdict}


def sweep_dict(found: Sweep) -> dict[str, Any]:
    return {
        "collection": found.collection,
        "model": found.model,
        "questions": {"choosing": found.questions[0], "reported": found.questions[1]},
        "measure": str(MAIN),
        "best_leg": found.best_leg,
        "against_best_leg": {name: comparison_dict(one) for name, one in found.as_they_are.items()},
        "lines": [
            {
                "method": line.method,
                "chosen": str(line.chosen),
                "selected_on": line.selected_on,
                "reported": line.reported,
                "against_usual": comparison_dict(line.against_usual),
                "against_best_leg": comparison_dict(line.against_best_leg),
            }
            for line in found.lines
        ],
        "by_k": {f"{k:g}": value for k, value in found.by_k.items()},
        "by_alpha": {f"{alpha:g}": value for alpha, value in found.by_alpha.items()},
    }


def outcomes_page(outcomes: Sequence[Outcome], swept: Sweep | None = None) -> str:
    """The first outcome is what the others are compared with; a sweep says what k and alpha do."""
    first, *others = outcomes
    parts = [
        _pre(outcomes_table(outcomes)),
        _titled(f"{MAIN} by stratum", bars(_strata(outcomes)), _pre(strata_table(outcomes))),
    ]
    for other in others:
        found = compared(first.values[MAIN], other.values[MAIN])
        moved = [other.values[MAIN][key] - value for key, value in first.values[MAIN].items()]
        parts.append(
            _titled(
                f"{other.recipe} against {first.recipe}, question by question",
                changes(moved),
                _pre(comparison_table([(str(MAIN), found)])),
                _pre(moved_table(found)),
            )
        )
    if swept is not None:
        parts += [
            *_curves([swept]),
            _titled("Fusions of words and meaning", _pre(sweep_table(swept))),
        ]
    parts += [
        _titled(f"Milliseconds a question: {one.recipe}", histogram(one.ms, "ms"))
        for one in outcomes
        if one.ms
    ]
    return page(f"{first.collection} · {first.model}", parts)


def sweeps_page(sweeps: Sequence[Sweep]) -> str:
    parts = [
        _pre(sweeps_summary(sweeps)),
        *_curves(sweeps),
    ]
    parts += [
        _titled(
            one.collection,
            _pre(sweep_table(one)),
            bars({str(MAIN): {line.method: line.reported for line in one.lines}}),
        )
        for one in sweeps
    ]
    return page("Fusions compared", parts)


def risk_page(name: str, found: Curve) -> str:
    """How often an answer is wrong, by how many questions are answered."""
    series = {
        "answerable": {point.coverage: point.risk for point in found.points},
        "with near misses": {p.coverage: p.risk_with_near_misses for p in found.points},
    }
    told = (f"{kind}: {share:.1%} of pairs" for kind, share in found.told_apart.items())
    return page(
        f"{name}: risk by coverage",
        [
            _titled("Wrong answers, by the share of questions answered", lines(series, "coverage")),
            _titled("Every threshold", _pre(table(curve_rows(found)))),
            _titled("Answerable questions that are surer than others", _pre(told)),
        ],
    )


def _curves(sweeps: Sequence[Sweep]) -> list[str]:
    return [
        _titled("RRF over k", lines({one.collection: one.by_k for one in sweeps}, "k")),
        _titled(
            "Convex combination over alpha (0 is words alone, 1 meaning alone)",
            lines({one.collection: one.by_alpha for one in sweeps}, "alpha"),
        ),
    ]


def page(title: str, parts: Iterable[str]) -> str:
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style></head>\n<body><h1>{escape(title)}</h1>\n"
        + "\n".join(parts)
        + "</body></html>\n"
    )


def _strata(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    by = {one.recipe: one.by_stratum(MAIN) for one in outcomes}
    names = next(iter(by.values()))
    return {name: {recipe: own[name] for recipe, own in by.items()} for name in names}


def _titled(title: str, *parts: str) -> str:
    return f"<h2>{escape(title)}</h2>\n" + "\n".join(parts)


def _pre(text: Iterable[str]) -> str:
    whole = "\n".join(text)
    return f"<pre>{escape(whole)}</pre>" if whole else ""
