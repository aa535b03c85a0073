"""Scores in, a total order out; whatever ties is decided by name, and last by id. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from recollect.model.note import Facts
from recollect.model.query import SortBy
from recollect.model.ranking import Ranking

TieBreak = Literal["path", "newest", "legs"]
"""`path` ascending (seed 002), `newest` first, or `legs`: as the legs brought them, first leg first."""


def fused_order(
    scores: Mapping[str, float],
    facts: Mapping[str, Facts],
    rankings: Sequence[Ranking],
    ties: TieBreak,
) -> list[str]:
    """Best first; equal scores by the recipe's tie-break, then by id."""
    decide = _tie_key(facts, rankings, ties)
    return sorted(scores, key=lambda note_id: (-scores[note_id], decide(note_id), note_id))


def adjusted_order(before: Sequence[str], scores: Mapping[str, float]) -> list[str]:
    """Best first; equal scores keep the order they had before (R2.8)."""
    return sorted(before, key=lambda note_id: -scores[note_id])


def sorted_by(order: Sequence[str], facts: Mapping[str, Facts], by: SortBy) -> list[str]:
    """The same notes by a fact instead of by relevance; equal ones stay in order of relevance."""
    if by == "recency":
        return sorted(order, key=lambda note_id: -facts[note_id].created_at.timestamp())
    if by == "importance":
        return sorted(order, key=lambda note_id: -facts[note_id].importance)
    return list(order)


def _tie_key(
    facts: Mapping[str, Facts], rankings: Iterable[Ranking], ties: TieBreak
) -> Callable[[str], str | float]:
    if ties == "path":
        return lambda note_id: facts[note_id].path
    if ties == "newest":
        return lambda note_id: -facts[note_id].created_at.timestamp()
    arrival: dict[str, int] = {}
    for ranking in rankings:
        for note_id in ranking.ids():
            arrival.setdefault(note_id, len(arrival))
    return lambda note_id: arrival[note_id]
