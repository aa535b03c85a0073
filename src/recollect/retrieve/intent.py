"""What kind of question it is, what kind of note that is, and the factor they make (seed 002). Pure.

The patterns and numbers are the seed's, to the letter. `re.ASCII` gives `\\b` and the case folding
that these patterns have where they were written, and other white space becomes a tab first: it is
then what `\\s` stands for, and is not the plain space that some patterns spell out.
"""

import re
from dataclasses import dataclass
from typing import Final

_FLAGS: Final = re.IGNORECASE | re.ASCII

PREFERENCE_QUERY_RE: Final = re.compile(
    r"\b(?:recommend|suggest|recommendation|suggestion|tips?|advice|ideas?|what should i|which should i)\b",
    _FLAGS,
)
ENUMERATION_OR_TOTAL_QUERY_RE: Final = re.compile(
    r"\b(?:how many|count|total|in total|sum|add up|list|what are all)\b", _FLAGS
)
FIRST_PERSON_FACT_LOOKUP_RE: Final = re.compile(r"\b(?:did i|have i|was i|were i)\b", _FLAGS)
FACT_LOOKUP_VERB_RE: Final = re.compile(
    r"\b(?:pick(?:ed)? up|bought|ordered|spent|earned|sold|drove|travelled|traveled|watched|visited|completed|finished|submitted|booked)\b",  # noqa: E501
    _FLAGS,
)
PREFERENCE_NOTE_RE: Final = re.compile(
    r"\b(?:prefer(?:s|red)?|like(?:s|d)?|love(?:s|d)?|want(?:s|ed)?|need(?:s|ed)?|avoid(?:s|ed)?|dislike(?:s|d)?|hate(?:s|d)?|enjoy(?:s|ed)?|interested in|looking for)\b",  # noqa: E501
    _FLAGS,
)
GENERIC_NOTE_RE: Final = re.compile(
    r"\b(?:tips?|advice|suggest(?:ion|ed)?s?|recommend(?:ation|ed)?s?|ideas?|options?|guide|tracking|tracker|checklist)\b",
    _FLAGS,
)
ROLLUP_NOTE_RE: Final = re.compile(
    r"\b(?:roll-?up|summary|recap|overview|aggregate|combined|overall|in total|totalled?|totalling)\b",
    _FLAGS,
)
ATOMIC_EVENT_NOTE_RE: Final = re.compile(
    r"\b(?:i|we)\s+(?:picked up|bought|ordered|spent|earned|sold|drove|travelled|traveled|went|watched|visited|completed|finished|started|booked|got|took|submitted)\b",  # noqa: E501
    _FLAGS,
)
DATE_TAG_RE: Final = re.compile(r"\[(?:date|observed on):", _FLAGS)

_NOTE_TRAITS: Final = {
    "preference": PREFERENCE_NOTE_RE,
    "generic": GENERIC_NOTE_RE,
    "rollup": ROLLUP_NOTE_RE,
    "atomic": ATOMIC_EVENT_NOTE_RE,
    "dated": DATE_TAG_RE,
}
_PATH_TRAITS: Final = {
    "global": ("memory/global/",),
    "user_preference": ("user-preference-",),
    "recorded_fact": ("user-fact-", "milestone-"),
}
_OTHER_SPACE: Final = re.compile("[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]")


@dataclass(frozen=True, slots=True)
class Intent:
    """Evaluated once per query; a query may have neither, either or both."""

    preference: bool = False
    concrete_fact: bool = False

    def __bool__(self) -> bool:
        return self.preference or self.concrete_fact


def intent_of(query: str) -> Intent:
    asked = _plain(query)
    enumerates = ENUMERATION_OR_TOTAL_QUERY_RE.search(asked)
    looks_up = FIRST_PERSON_FACT_LOOKUP_RE.search(asked) and FACT_LOOKUP_VERB_RE.search(asked)
    return Intent(
        preference=bool(PREFERENCE_QUERY_RE.search(asked)),
        concrete_fact=bool(enumerates or looks_up),
    )


def traits_of(path: str, title: str, summary: str, content: str) -> frozenset[str]:
    """What the document patterns and the path say of a note: read off when it is learned, once."""
    text = _plain("\n".join((path, title, summary, content)))
    found = {trait for trait, pattern in _NOTE_TRAITS.items() if pattern.search(text)}
    lowered = path.lower()
    found |= {trait for trait, marks in _PATH_TRAITS.items() if any(m in lowered for m in marks)}
    return frozenset(found)


def preference_factors(traits: frozenset[str]) -> tuple[tuple[str, float], ...]:
    found: list[tuple[str, float]] = []
    if {"global", "user_preference"} <= traits:
        found.append(("a user preference", 2.35))
    elif {"global", "preference"} <= traits:
        found.append(("a global note of a preference", 2.1))
    if "global" not in traits and "generic" in traits:
        found.append(("generic advice", 0.82))
    if "rollup" in traits:
        found.append(("a rollup", 0.9))
    return tuple(found)


def concrete_fact_factors(traits: frozenset[str]) -> tuple[tuple[str, float], ...]:
    is_rollup = "rollup" in traits
    is_event = not is_rollup and not traits.isdisjoint(("dated", "atomic"))
    is_fact = "recorded_fact" in traits or is_event
    found: list[tuple[str, float]] = []
    if is_fact:
        found.append(("a concrete fact", 2.2))
    if is_rollup:
        found.append(("a rollup", 0.45))
    if not is_fact and "global" not in traits and "generic" in traits:
        found.append(("generic advice", 0.75))
    return tuple(found)


def factors(intent: Intent, traits: frozenset[str]) -> tuple[tuple[str, float], ...]:
    """Every multiplier that fires, with its reason; across intents they all compose."""
    preference = preference_factors(traits) if intent.preference else ()
    concrete_fact = concrete_fact_factors(traits) if intent.concrete_fact else ()
    return preference + concrete_fact


def _plain(text: str) -> str:
    return _OTHER_SPACE.sub("\t", text).lower()
