"""Scores in, a total order out; whatever ties is decided by name, and last by id. Pure."""

from collections.abc import Iterable, Mapping, Sequence
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
    decide = _tie_keys(scores, facts, rankings, ties)
    keyed = [(-score, decide[note_id], note_id) for note_id, score in scores.items()]
    keyed.sort()  # whole keys, rather than a key function: a third of the time
    return [note_id for _, _, note_id in keyed]


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


def _tie_keys(
    note_ids: Iterable[str],
    facts: Mapping[str, Facts],
    rankings: Iterable[Ranking],
    ties: TieBreak,
) -> Mapping[str, str] | Mapping[str, float]:
    if ties == "path":
        return {note_id: facts[note_id].path for note_id in note_ids}
    if ties == "newest":
        return {note_id: -facts[note_id].created_at.timestamp() for note_id in note_ids}
    arrival: dict[str, float] = {}
    for ranking in rankings:
        for note_id in ranking.ids():
            arrival.setdefault(note_id, len(arrival))
    return arrival
