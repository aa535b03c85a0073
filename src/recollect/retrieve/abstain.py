"""How sure it is that anything relevant was found, against what off-corpus questions find. Pure.

Each leg's best score is measured by the best scores that questions about other things got: by how
many of their deviations it lies above their mean. The mean over the legs is the confidence. Below
the threshold, nothing relevant is likely to be there.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Calibration:
    """`nulls`: for each leg the best scores of off-corpus questions, rising. `threshold`: the
    confidence that all but a twentieth of those questions stay below."""

    nulls: Mapping[str, tuple[float, ...]]
    threshold: float

    def confidence(self, leg_best: Mapping[str, float]) -> float:
        """0 to 1, a half where off-corpus questions are; a leg that found nothing says 0."""
        if not self.nulls:
            return 1.0
        places = [
            _place(leg_best[leg], scores) if leg in leg_best and scores else 0.0
            for leg, scores in self.nulls.items()
        ]
        return math.fsum(places) / len(places)

    def finds_nothing(self, leg_best: Mapping[str, float]) -> bool:
        return self.confidence(leg_best) <= self.threshold

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def _place(score: float, nulls: Sequence[float]) -> float:
    """Rises with the score and never reaches 1, so that the sure and the very sure stay apart."""
    mean = math.fsum(nulls) / len(nulls)
    spread = math.sqrt(math.fsum((null - mean) ** 2 for null in nulls) / len(nulls))
    if spread <= 0:
        return 0.5 + 0.5 * ((score > mean) - (score < mean))
    deviations = (score - mean) / spread
    return 0.5 + 0.5 * deviations / (1 + abs(deviations))


def calibration_of(kept: Mapping[str, Any]) -> Calibration:
    nulls = {leg: tuple(scores) for leg, scores in kept["nulls"].items()}
    return Calibration(nulls, float(kept["threshold"]))
