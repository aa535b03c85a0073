"""The order of a fact as a ranking: newest first, most used first. Pure."""

from collections.abc import Iterable
from typing import Literal

from recollect.model.note import Facts
from recollect.model.ranking import Hit, Ranking
from recollect.retrieve.rank import ranking

Fact = Literal["created", "access", "usefulness"]


def fact_ranking(fact: Fact, weight: float, facts: Iterable[Facts]) -> Ranking:
    """Every candidate has a place in it. The order among equals is by id, whatever came first."""
    known = sorted(facts, key=lambda one: one.note_id)
    return ranking(fact, weight, (Hit(one.note_id, _value(fact, one)) for one in known))


def _value(fact: Fact, facts: Facts) -> float:
    if fact == "created":
        return facts.created_at.timestamp()
    if fact == "access":
        return float(facts.usage.access_count)
    # uses per showing, smoothed so that one lucky use out of one showing is no certainty
    return (facts.usage.access_count + 1) / (facts.usage.exposures + 2)
