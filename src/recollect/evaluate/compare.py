"""Two systems' values for the same questions in, how sure their difference is out. Pure, seeded."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.evaluate.measures import Values
from recollect.model.errors import BadInput

SAMPLES: Final = 10_000
SEED: Final = 20_260_101
CONFIDENCE: Final = 0.95
TIE: Final = 1e-9
"""Values nearer than this are equal: they differ only in how a sum was rounded."""

MOVED: Final = 10
_CELLS: Final = 4_000_000


@dataclass(frozen=True, slots=True)
class Moved:
    question: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """`difference` is after less before; the interval is the paired bootstrap's, `p` the
    randomisation test's, two-sided."""

    questions: int
    before: float
    after: float
    difference: float
    low: float
    high: float
    p: float
    won: int
    lost: int
    tied: int
    moved: tuple[Moved, ...]

    @property
    def is_better(self) -> bool:
        return self.low > 0

    @property
    def is_worse(self) -> bool:
        return self.high < 0

    @property
    def verdict(self) -> str:
        if self.is_better or self.is_worse:
            return "better" if self.is_better else "worse"
        return "no difference shown"


def compared(
    before: Values,
    after: Values,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    moved: int = MOVED,
) -> Comparison:
    """Questions in the order of their ids, so that the same values always give the same numbers."""
    if set(before) != set(after):
        alone = min(set(before) ^ set(after))
        raise BadInput("runs", alone, "was asked of one system only; both must have all questions")
    if not before:
        raise BadInput("runs", 0, "questions are too few to compare")
    keys = sorted(before)
    old = np.array([before[key] for key in keys])
    new = np.array([after[key] for key in keys])
    change = new - old
    change[np.abs(change) < TIE] = 0.0
    low, high = bootstrap(change, samples, seed)
    most = sorted(zip(-np.abs(change), keys, strict=True))[:moved]
    return Comparison(
        questions=len(keys),
        before=float(old.mean()),
        after=float(new.mean()),
        difference=float(change.mean()),
        low=low,
        high=high,
        p=randomisation(change, samples, seed),
        won=int((change > 0).sum()),
        lost=int((change < 0).sum()),
        tied=int((change == 0).sum()),
        moved=tuple(Moved(key, before[key], after[key]) for size, key in most if size),
    )


def bootstrap(
    change: NDArray[np.float64], samples: int = SAMPLES, seed: int = SEED
) -> tuple[float, float]:
    """The percentile interval of the mean, over questions drawn again with replacement."""
    generator = np.random.default_rng(seed)
    count = len(change)
    means = [
        change[generator.integers(0, count, (rows, count))].mean(axis=1)
        for rows in _portions(samples, count)
    ]
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(np.concatenate(means), (tail, 1 - tail))
    return float(low), float(high)


def randomisation(change: NDArray[np.float64], samples: int = SAMPLES, seed: int = SEED) -> float:
    """How often a difference as large comes about when systems are swapped by chance, question by
    question (Fisher; Smucker, Allan, Carterette 2007). Never 0: the systems as they are count too."""
    generator = np.random.default_rng(seed)
    seen = abs(change.sum()) - TIE
    as_large = 0
    for rows in _portions(samples, len(change)):
        signs = generator.integers(0, 2, (rows, len(change))) * 2 - 1
        as_large += int((np.abs(signs @ change) >= seen).sum())
    return (as_large + 1) / (samples + 1)


def _portions(samples: int, count: int) -> list[int]:
    """So many rows at a time that memory stays small."""
    rows = max(1, _CELLS // count)
    whole, rest = divmod(samples, rows)
    return [rows] * whole + ([rest] if rest else [])
