"""Many rankings in, one score per note out. Pure: lists in any order give the same scores.

Each method says what a hit's share of its own ranking is; the rest is a sum. So every fused score
is the sum of one contribution per leg, whichever method made it.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Protocol

from recollect.model.answer import Share
from recollect.model.query import number_of, one_of
from recollect.model.ranking import Ranking
from recollect.retrieve.rank import RankRule, ranks

DEFAULT_K: Final = 60.0  # Cormack, Clarke, Buettcher 2009; all five seeds


class Fusion(Protocol):
    method: ClassVar[str]

    def contributions(self, ranking: Ranking) -> list[float]:
        """One number per hit, in the ranking's order; the leg's weight is already in it."""
        ...

    def most(self, ranking: Ranking) -> float:
        """What a hit of this ranking is worth at best, or all but at best: normalised scores are
        measured by it and stop at 1."""
        ...


@dataclass(frozen=True, slots=True)
class RRF:
    """Weighted Reciprocal Rank Fusion: `weight / (k + rank)`."""

    method: ClassVar[str] = "rrf"
    k: float = DEFAULT_K
    ranks: RankRule = "position"

    def __post_init__(self) -> None:
        number_of("k", self.k)
        one_of("ranks", self.ranks, ("position", "dense"))

    @property
    def safe_k(self) -> float:
        return self.k if self.k > 0 else DEFAULT_K  # R0.1

    def contributions(self, ranking: Ranking) -> list[float]:
        k, weight = self.safe_k, ranking.weight
        scores = [hit.score for hit in ranking.hits]
        return [weight / (k + rank) for rank in ranks(scores, self.ranks)]

    def most(self, ranking: Ranking) -> float:
        return ranking.weight / (self.safe_k + 1)


@dataclass(frozen=True, slots=True)
class Convex:
    """Convex combination (TM2C2): scores stretched from their least possible to their greatest
    seen, then alpha of meaning and 1 - alpha of every other leg (Bruch et al. 2023)."""

    method: ClassVar[str] = "convex"
    alpha: float = 0.5

    def __post_init__(self) -> None:
        number_of("alpha", self.alpha, low=0, high=1)

    def contributions(self, ranking: Ranking) -> list[float]:
        share = self.most(ranking)
        return [share * part for part in _stretched(ranking)]

    def most(self, ranking: Ranking) -> float:
        return ranking.weight * (self.alpha if ranking.leg == "meaning" else 1 - self.alpha)


@dataclass(frozen=True, slots=True)
class Distribution:
    """Distribution-based score fusion: scores placed between three deviations below and above
    their mean. What lies lower still counts as nothing, never as less than being absent."""

    method: ClassVar[str] = "distribution"
    deviations: float = 3.0

    def __post_init__(self) -> None:
        number_of("deviations", self.deviations, low=0.1, high=10)

    def contributions(self, ranking: Ranking) -> list[float]:
        scores = [hit.score for hit in ranking.hits]
        mean = math.fsum(scores) / len(scores)
        spread = math.sqrt(math.fsum((score - mean) ** 2 for score in scores) / len(scores))
        reach = self.deviations * spread
        if reach <= 0:
            return [ranking.weight * 0.5] * len(scores)
        return [ranking.weight * max(0.0, (s - mean + reach) / (2 * reach)) for s in scores]

    def most(self, ranking: Ranking) -> float:
        return ranking.weight


@dataclass(frozen=True, slots=True)
class Weighted:
    """The legacy sum of raw scores times weights, kept so that it can be compared with (seed 003)."""

    method: ClassVar[str] = "weighted"

    def contributions(self, ranking: Ranking) -> list[float]:
        return [ranking.weight * hit.score for hit in ranking.hits]

    def most(self, ranking: Ranking) -> float:
        return max(ranking.weight * max(hit.score for hit in ranking.hits), 0.0)


@dataclass(frozen=True, slots=True)
class Fused:
    """The fused scores, and everything needed to say where each came from."""

    rankings: tuple[Ranking, ...]
    contributions: tuple[Mapping[str, float], ...]
    scores: Mapping[str, float]
    most: float
    rule: RankRule

    def shares(self, note_id: str) -> dict[str, Share]:
        """What each leg gave to this note; a leg that did not find it is not in here."""
        found: dict[str, Share] = {}
        for ranking, contribution in zip(self.rankings, self.contributions, strict=True):
            if note_id in contribution:
                at = ranking.ids().index(note_id)
                rank = ranks([hit.score for hit in ranking.hits], self.rule)[at]
                score = ranking.hits[at].score
                found[ranking.leg] = Share(rank, score, ranking.weight, contribution[note_id])
        return found


def fuse(fusion: Fusion, rankings: Iterable[Ranking]) -> Fused:
    """A note absent from a list gets nothing from it, which is not the same as the worst rank."""
    answered = tuple(ranking for ranking in rankings if ranking.hits and ranking.weight > 0)
    contributions = tuple(
        dict(zip(ranking.ids(), fusion.contributions(ranking), strict=True)) for ranking in answered
    )
    parts: defaultdict[str, list[float]] = defaultdict(list)
    for contribution in contributions:
        for note_id, part in contribution.items():
            parts[note_id].append(part)
    # fsum: the sum must not depend on the order the legs came in
    scores = {note_id: math.fsum(own) for note_id, own in parts.items()}
    rule: RankRule = fusion.ranks if isinstance(fusion, RRF) else "position"
    most = math.fsum(fusion.most(ranking) for ranking in answered)
    return Fused(answered, contributions, scores, most, rule)


def _stretched(ranking: Ranking) -> list[float]:
    scores = [hit.score for hit in ranking.hits]
    least = min(scores) if ranking.floor is None else ranking.floor
    span = max(scores) - least
    if span <= 0:
        return [1.0] * len(scores)  # nothing tells them apart: all are the best there is
    return [max(0.0, score - least) / span for score in scores]
