"""Which passages can still be among the best? Words in the order of what they tell in, those to look for out.

A passage is worth at most the sum of what its words can add (MaxScore). The rarest words are looked up
first, which sets the score to beat; then only passages are scored whose words could together reach it.
Pure, and exact: no passage that belongs among the best is ever left out.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

ROUNDING: Final = 1e-9


class Term(NamedTuple):
    """A lexeme as a tsquery, how many passages hold it, and what it adds at most."""

    expression: str
    holding: int
    most: float


class Reach(NamedTuple):
    """A score to reach, and the words that can add to it."""

    terms: Sequence[Term]
    least: float

    @property
    def needed(self) -> Sequence[Term]:
        """A passage that holds none of these cannot reach it, whatever else it holds."""
        added = accumulate(reversed([term.most for term in self.terms]))
        short = sum(1 for together in added if together < self.least - ROUNDING)
        return self.terms[: len(self.terms) - short]


def ordered(terms: Iterable[Term]) -> list[Term]:
    """What tells the most comes first; of two that tell the same, the rarer."""
    return sorted(terms, key=lambda term: (-term.most, term.holding))


def leading(terms: Sequence[Term], enough: int) -> Sequence[Term]:
    """The first word, and those after it as long as they bring no more than `enough` passages."""
    brought = 0
    for at, term in enumerate(terms):
        brought += term.holding
        if at and brought > enough:
            return terms[:at]
    return terms
