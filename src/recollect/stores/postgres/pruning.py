"""Which passages can still be among the best? Words in the order of what they tell in, a condition out.

A passage is worth at most the sum of what its words can add (MaxScore). The rarest words are looked up
first; then only passages are asked for whose other words could together reach the score to beat. Pure,
and exact: no passage that belongs among the best is ever left out.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from recollect.stores.postgres.lexemes import any_of

ROUNDING: Final = 1e-9
_BUDGET: Final = 200  # groups in a condition; a wider one is looser, never wrong


class Term(NamedTuple):
    """A lexeme as a tsquery, how many passages hold it, and what it adds at most."""

    expression: str
    holding: int
    most: float


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


def reaching(terms: Sequence[Term], least: float) -> str | None:
    """What a passage must hold so that these words alone can reach a score; None: none can."""
    sums = [0.0]
    for term in reversed(terms):
        sums.append(sums[-1] + term.most)
    sums.reverse()  # sums[at]: what all words from there on add at most
    budget = _BUDGET

    def need(at: int, still: float) -> str | None:
        nonlocal budget
        if at == len(terms) or sums[at] < still - ROUNDING:
            return None
        budget -= 1
        if budget < 0 or still <= ROUNDING:
            return any_of(term.expression for term in terms[at:])
        with_it = still - terms[at].most
        taken = terms[at].expression
        if with_it > ROUNDING:
            others = need(at + 1, with_it)
            taken = f"({taken} & {others})" if others else ""
        without = need(at + 1, still)
        return any_of(part for part in (taken, without) if part) if taken or without else None

    return need(0, least)
