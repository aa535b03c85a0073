"""What to try when the words found nothing: the rungs of seed 002, in order. Pure.

Each rung is a weaker wording of the same question; whoever climbs stops at the first that finds.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

MIN_TERM: Final = 3  # seed 002: terms of at least three characters
MAX_TERMS: Final = 256
"""A prompt can be a pasted file; every term is compared with every path, so its first ones must do."""

STOP_WORDS: Final = frozenset(
    "a an and are as at be been but by can could did do does for from had has have he her him his "
    "how i if in into is it its me my no nor not on or our out she should so than that the their "
    "them then there these they this those to too us very was we were what when where which who "
    "whom whose why will with would you your "
    "de het een en of".split()  # the Dutch overlap that the seed names
)
"""Function words only: a list with content words in it (watch, list, planning) loses real queries."""


@dataclass(frozen=True, slots=True)
class Rung:
    strategy: str
    query: str


def sanitise(query: str) -> str:
    """Every run of punctuation and symbols becomes one space; white space collapses."""
    spaced = "".join(" " if unicodedata.category(c)[0] in "PS" else c for c in query)
    return " ".join(spaced.split())


def query_terms(query: str) -> tuple[str, ...]:
    """The lowered terms that carry meaning, each once, in order."""
    terms = sanitise(query).lower().split()
    return tuple(
        dict.fromkeys(term for term in terms if len(term) >= MIN_TERM and term not in STOP_WORDS)
    )


def strongest_term(query: str) -> str | None:
    """The longest meaningful term; of equally long ones the first."""
    return max(query_terms(query), key=len, default=None)


def rungs(query: str) -> Iterator[Rung]:
    """Rungs 1, 3 and 4 by words and rung 5 by the look of paths; a vacuous rung is silent.

    Rung 2 of the seed refreshes the full-text index. Stores here are live views of what is
    written, so there is nothing to refresh and, as in the seed, no row for it.
    """
    strongest = strongest_term(query)
    if strongest is not None and strongest != query.lower().strip():
        yield Rung("strongest_term", strongest)
    clean = sanitise(query)
    if clean:
        yield Rung("refreshed_sanitised", clean)
    strongest_clean = strongest_term(clean)
    if strongest_clean is not None:
        yield Rung("refreshed_strongest", strongest_clean)
    terms = query_terms(query)[:MAX_TERMS]
    if terms:
        yield Rung("trigram_fuzzy", " ".join(terms))
