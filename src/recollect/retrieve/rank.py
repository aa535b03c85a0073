"""Whatever order a leg brought its hits in, a ranking out: best first, each note once. Pure."""

import math
from collections.abc import Iterable, Sequence
from typing import Literal

from recollect.model.errors import StoreError
from recollect.model.ranking import Hit, Ranking

RankRule = Literal["position", "dense"]


def ranking(leg: str, weight: float, hits: Iterable[Hit], floor: float | None = None) -> Ranking:
    """The order is the scores' own, never the order of arrival; equal scores keep theirs.

    A note found by several passages stands once, where its best passage stood.
    """
    arrived = list(hits)
    for hit in arrived:
        if not math.isfinite(hit.score):
            raise StoreError(f"leg '{leg}' scored {hit.note_id!r} with {hit.score}")
    best: dict[str, Hit] = {}
    for hit in sorted(arrived, key=lambda hit: -hit.score):
        best.setdefault(hit.note_id, hit)
    return Ranking(leg, weight, tuple(best.values()), floor)


def ranks(scores: Sequence[float], rule: RankRule) -> list[int]:
    """1-based. `position` counts 1, 2, 3; `dense` gives equal scores one rank: 1, 1, 2."""
    if rule == "position":
        return list(range(1, len(scores) + 1))
    assigned: list[int] = []
    rank, last = 0, math.nan
    for score in scores:
        if score != last:
            rank, last = rank + 1, score
        assigned.append(rank)
    return assigned
