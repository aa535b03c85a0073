"""When a judge need not be asked, what it is shown, and what its verdict changes. Pure."""

from collections.abc import Mapping, Sequence
from typing import Final

from recollect.model.note import EXCERPT, Facts
from recollect.model.ranking import Ranking

WINDOW: Final = 3  # seed 002: the first three of both legs
AGREE_MIN: Final = 2


def agreements(words: Ranking | None, meaning: Ranking | None) -> int | None:
    """In how many of the first three places words and meaning name the same note; None below three."""
    if words is None or meaning is None:
        return None
    if len(words.hits) < WINDOW or len(meaning.hits) < WINDOW:
        return None
    both = zip(words.ids()[:WINDOW], meaning.ids()[:WINDOW], strict=True)
    return sum(one == other for one, other in both)


def is_unanimous(agreed: int | None) -> bool:
    return agreed is not None and agreed >= AGREE_MIN


def judged_text(facts: Facts) -> str:
    """`title \\n summary`, else whichever there is, else the beginning of the content (R2.7)."""
    if facts.title and facts.summary:
        return f"{facts.title}\n{facts.summary}"
    return facts.title or facts.summary or facts.excerpt[:EXCERPT]


def reordered(order: Sequence[str], verdict: Mapping[str, float]) -> list[str]:
    """The judged head by its verdict, equal ones as before; the tail follows unchanged."""
    head, tail = order[: len(verdict)], order[len(verdict) :]
    return [*sorted(head, key=lambda note_id: -verdict[note_id]), *tail]
