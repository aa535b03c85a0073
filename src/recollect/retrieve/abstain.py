"""How sure it is that anything relevant was found, against what off-corpus questions find. Pure.

Each leg's best score is placed among the best scores that questions about other things got; the
mean of these places is the confidence. Below the threshold, nothing relevant is likely to be there.
"""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Calibration:
    """`nulls`: for each leg the best scores of off-corpus questions, rising. `threshold`: the
    confidence that all but a twentieth of those questions stay below."""

    nulls: Mapping[str, tuple[float, ...]]
    threshold: float

    def confidence(self, leg_best: Mapping[str, float]) -> float:
        """0 to 1; a leg that found nothing says 0."""
        if not self.nulls:
            return 1.0
        places = [
            bisect_right(scores, leg_best[leg]) / len(scores) if leg in leg_best and scores else 0.0
            for leg, scores in self.nulls.items()
        ]
        return sum(places) / len(places)

    def finds_nothing(self, leg_best: Mapping[str, float]) -> bool:
        return self.confidence(leg_best) <= self.threshold

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def calibration_of(kept: Mapping[str, Any]) -> Calibration:
    nulls = {leg: tuple(scores) for leg, scores in kept["nulls"].items()}
    return Calibration(nulls, float(kept["threshold"]))
