"""Seed 002, intent: the patterns to the letter, every multiplier, and how they compose."""

import re
from pathlib import PurePosixPath
from typing import Final

import pytest

from recollect.recipes.shelf import BRAIN, SHELF
from recollect.retrieve import intent
from recollect.retrieve.adjust import IntentFactors
from recollect.retrieve.intent import Intent, factors, intent_of, traits_of
from tests.building import ids, note
from tests.fakes import hits, scene

SEED: Final = {
    "PREFERENCE_QUERY_RE": r"\b(?:recommend|suggest|recommendation|suggestion|tips?|advice|ideas?|what should i|which should i)\b",  # noqa: E501
    "ENUMERATION_OR_TOTAL_QUERY_RE": r"\b(?:how many|count|total|in total|sum|add up|list|what are all)\b",
    "FIRST_PERSON_FACT_LOOKUP_RE": r"\b(?:did i|have i|was i|were i)\b",
    "FACT_LOOKUP_VERB_RE": r"\b(?:pick(?:ed)? up|bought|ordered|spent|earned|sold|drove|travelled|traveled|watched|visited|completed|finished|submitted|booked)\b",  # noqa: E501
    "PREFERENCE_NOTE_RE": r"\b(?:prefer(?:s|red)?|like(?:s|d)?|love(?:s|d)?|want(?:s|ed)?|need(?:s|ed)?|avoid(?:s|ed)?|dislike(?:s|d)?|hate(?:s|d)?|enjoy(?:s|ed)?|interested in|looking for)\b",  # noqa: E501
    "GENERIC_NOTE_RE": r"\b(?:tips?|advice|suggest(?:ion|ed)?s?|recommend(?:ation|ed)?s?|ideas?|options?|guide|tracking|tracker|checklist)\b",  # noqa: E501
    "ROLLUP_NOTE_RE": r"\b(?:roll-?up|summary|recap|overview|aggregate|combined|overall|in total|totalled?|totalling)\b",  # noqa: E501
    "ATOMIC_EVENT_NOTE_RE": r"\b(?:i|we)\s+(?:picked up|bought|ordered|spent|earned|sold|drove|travelled|traveled|went|watched|visited|completed|finished|started|booked|got|took|submitted)\b",  # noqa: E501
    "DATE_TAG_RE": r"\[(?:date|observed on):",
}
"""Copied from the seed's text."""


@pytest.mark.parametrize("name", SEED)
def test_every_pattern_is_the_seeds_to_the_letter(name: str) -> None:
    """R2.8"""
    pattern = getattr(intent, name)
    assert pattern.pattern == SEED[name]
    assert pattern.flags & re.IGNORECASE
    assert not pattern.flags & (re.DOTALL | re.MULTILINE | re.VERBOSE)


PREFERENCE, FACT, BOTH, NEITHER = (
    Intent(True, False),
    Intent(False, True),
    Intent(True, True),
    Intent(),
)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("recommend a book", PREFERENCE),
        ("RECOMMEND a book", PREFERENCE),
        ("any suggestion?", PREFERENCE),
        ("suggest something", PREFERENCE),
        ("a tip", PREFERENCE),
        ("tips", PREFERENCE),
        ("some advice please", PREFERENCE),
        ("an idea", PREFERENCE),
        ("ideas", PREFERENCE),
        ("what should I cook", PREFERENCE),
        ("Which should I take", PREFERENCE),
        ("how many books", FACT),
        ("count them", FACT),
        ("the total", FACT),
        ("in total", FACT),
        ("sum of it", FACT),
        ("add up the bills", FACT),
        ("list my trips", FACT),
        ("what are all the colours", FACT),
        ("did I buy it, or have I ordered it", FACT),
        ("when was I booked", FACT),
        ("were I finished", FACT),
        ("have I picked up the parcel", FACT),
        ("did i pick up the parcel", FACT),
        ("how many tips", BOTH),
        ("recommend a list", BOTH),
        ("recommendations", NEITHER),
        ("suggestions", NEITHER),
        ("tipsy", NEITHER),
        ("ideal", NEITHER),
        ("what should it be", NEITHER),
        ("counted", NEITHER),
        ("totals", NEITHER),
        ("summary", NEITHER),
        ("listen", NEITHER),
        ("did I sleep", NEITHER),
        ("she bought it", NEITHER),
        ("did it get bought", NEITHER),
        ("", NEITHER),
    ],
)
def test_what_kind_of_question_it_is(query: str, expected: Intent) -> None:
    """R2.8"""
    assert intent_of(query) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("étips", PREFERENCE),  # é is no word character there: a boundary stands before the t
        ("tipsé", PREFERENCE),
        ("tip_", NEITHER),
        ("tip5", NEITHER),
        ("li\u017ft", NEITHER),  # long s is not folded to s
        ("\u212aount", NEITHER),
        ("¿recommend?", PREFERENCE),
    ],
)
def test_word_boundaries_and_case_are_those_of_ascii(query: str, expected: Intent) -> None:
    """R2.8"""
    assert intent_of(query) == expected


def test_a_kelvin_sign_is_lowered_before_the_patterns_see_it() -> None:
    """R2.8: the text is lowercased first, and the Kelvin sign's lower case is a plain k."""
    assert "preference" in traits_of("", "", "", "I li\u212ae it")


@pytest.mark.parametrize(
    "text", ["looking\nfor", "add\tup", "in\ttotality", "how\nmany", "how\u00a0many"]
)
def test_a_plain_space_in_a_pattern_is_a_plain_space(text: str) -> None:
    """R2.8: bit for bit the same patterns; only `\\s` stands for any white space."""
    assert not intent_of(text)
    assert traits_of("", "", "", text) == frozenset()


@pytest.mark.parametrize("space", [" ", "  ", "\n", "\t", "\u00a0", "\u2003", "\u3000"])
def test_any_white_space_may_stand_where_the_pattern_says_so(space: str) -> None:
    """R2.8"""
    assert traits_of("", "", "", f"I{space}bought it") == {"atomic"}


def test_no_pattern_matches_across_two_fields() -> None:
    """R2.8: a title that ends in `in` and a summary that begins with `total` are no rollup."""
    assert traits_of("a", "what is in", "total loss", "") == frozenset()
    assert traits_of("a", "looking", "for it", "") == frozenset()


@pytest.mark.parametrize(
    "query",
    [
        "wie viele Bücher habe ich gelesen",
        "combien de livres",
        "empfiehl mir etwas",
        "おすすめは何ですか",
        "сколько всего",
        "كم عدد الكتب",
    ],
)
def test_questions_in_other_languages_are_left_alone(query: str) -> None:
    """R2.8"""
    assert intent_of(query) == NEITHER


@pytest.mark.parametrize(
    ("trait", "hit", "miss"),
    [
        ("preference", "she prefers tea", "preferable"),
        ("preference", "I disliked it", "unlikely"),
        ("preference", "interested in art", "interesting"),
        ("generic", "a checklist", "checklists"),
        ("generic", "suggesteds", "suggesting"),
        ("generic", "options", "optional"),
        ("rollup", "a roll-up", "rolling up"),
        ("rollup", "the rollup", "roll up"),
        ("rollup", "totalled", "totals"),
        ("rollup", "totalle", "tot alle"),
        ("atomic", "we went home", "they went home"),
        ("atomic", "I picked up milk", "I pick up milk"),
        ("dated", "[date: 2026-01-01]", "date: 2026-01-01"),
        ("dated", "[Observed On: monday]", "[observed: monday]"),
    ],
)
def test_what_kind_of_note_it_is(trait: str, hit: str, miss: str) -> None:
    """R2.8"""
    assert trait in traits_of("", "", "", hit)
    assert trait not in traits_of("", "", "", miss)


@pytest.mark.parametrize("at", range(4))
def test_path_title_summary_and_content_are_all_read(at: int) -> None:
    """R2.8"""
    fields = ["", "", "", ""]
    fields[at] = "the overview"
    assert traits_of(*fields) == {"rollup"}


GLOBAL, LOCAL = "memory/global/", "notes/"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (GLOBAL + "user-preference-tea.md", "tea", [2.35]),
        (GLOBAL + "user-preference-tea.md", "she prefers tea", [2.35]),
        (GLOBAL + "tea.md", "she prefers tea", [2.1]),
        (GLOBAL + "tea.md", "tea", []),
        (GLOBAL + "tea.md", "tips on tea", []),
        (GLOBAL + "tea.md", "an overview of tea", [0.9]),
        (GLOBAL + "tea.md", "she likes an overview", [2.1, 0.9]),
        (GLOBAL + "user-preference-tea.md", "overview", [2.35, 0.9]),
        (LOCAL + "user-preference-tea.md", "tea", []),
        (LOCAL + "tea.md", "she prefers tea", []),
        (LOCAL + "tea.md", "tips on tea", [0.82]),
        (LOCAL + "tea.md", "overview of tea", [0.9]),
        (LOCAL + "tea.md", "overview of tips", [0.82, 0.9]),
        (LOCAL + "tea.md", "tea", []),
    ],
)
def test_the_table_for_a_question_of_preference(
    path: str, text: str, expected: list[float]
) -> None:
    """R2.8"""
    fired = factors(PREFERENCE, traits_of(path, "", "", text))
    assert [factor for _, factor in fired] == expected


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (LOCAL + "user-fact-1.md", "x", [2.2]),
        (LOCAL + "milestone-1.md", "x", [2.2]),
        (GLOBAL + "user-fact-1.md", "x", [2.2]),
        (LOCAL + "a.md", "[date: today] x", [2.2]),
        (LOCAL + "a.md", "I bought a bike", [2.2]),
        (LOCAL + "a.md", "I bought a bike on a tip", [2.2]),
        (LOCAL + "a.md", "I bought a bike, in a summary", [0.45]),
        (LOCAL + "a.md", "[date: today] recap", [0.45]),
        (LOCAL + "user-fact-1.md", "overview", [2.2, 0.45]),
        (LOCAL + "a.md", "overview", [0.45]),
        (LOCAL + "a.md", "overview of tips", [0.45, 0.75]),
        (LOCAL + "a.md", "tips", [0.75]),
        (GLOBAL + "a.md", "tips", []),
        (GLOBAL + "a.md", "overview of tips", [0.45]),
        (LOCAL + "a.md", "x", []),
    ],
)
def test_the_table_for_a_question_of_fact(path: str, text: str, expected: list[float]) -> None:
    """R2.8"""
    fired = factors(FACT, traits_of(path, "", "", text))
    assert [factor for _, factor in fired] == expected


@pytest.mark.parametrize(
    ("query", "path", "text", "factor"),
    [
        ("how many", "notes/a.md", "an overview of tips", 0.45 * 0.75),
        ("how many", "user-fact-1.md", "an overview", 2.2 * 0.45),
        ("tips", "notes/a.md", "an overview of tips", 0.82 * 0.9),
        ("how many tips", "notes/a.md", "an overview of tips", 0.82 * 0.9 * 0.45 * 0.75),
        ("how many tips", "memory/global/user-preference-a.md", "an overview", 2.35 * 0.9 * 0.45),
        ("how many tips", "memory/global/user-fact-a.md", "she likes it", 2.1 * 2.2),
        ("plain words", "notes/a.md", "an overview of tips", 1.0),
    ],
)
def test_multipliers_compose_by_multiplication(
    query: str, path: str, text: str, factor: float
) -> None:
    """R2.8: 0.3375, 0.99, 0.738 …"""
    made = scene([note("a", text, path=path)], words=hits("a"))
    [result] = made.ask(BRAIN, query).results
    assert result.score == pytest.approx(factor / 61)


def test_a_path_is_compared_without_its_case() -> None:
    """R2.8: the reference lowercases what it looks at"""
    path = str(PurePosixPath("Memory/Global/User-Preference-Tea.md"))
    assert [factor for _, factor in factors(PREFERENCE, traits_of(path, "", "", ""))] == [2.35]


def test_intent_turns_an_order_around() -> None:
    """R2.8"""
    notes = [note("tips", "tips", path="notes/t.md"), note("fact", "x", path="user-fact-1.md")]
    made = scene(notes, words=hits("tips", "fact"))
    assert ids(made.ask(BRAIN, "something")) == ["tips", "fact"]
    assert ids(made.ask(BRAIN, "how many")) == ["fact", "tips"]


def test_equal_adjusted_scores_keep_the_fused_order() -> None:
    """R2.8: and not the order of paths"""
    notes = [note(name, "tips", path=f"notes/{name}.md") for name in ("z", "a")]
    made = scene(notes, words=hits("z", "a", scores=[1.0, 1.0]))
    assert ids(made.ask(BRAIN, "tips")) == ["z", "a"]


def test_only_the_brain_reads_intent() -> None:
    """R2.8"""
    reading = {
        name
        for name, recipe in SHELF.items()
        if any(isinstance(one, IntentFactors) for one in recipe.adjustments)
    }
    assert reading == {"brain"}


def test_intent_is_read_off_the_query_as_it_was_typed() -> None:
    """R2.8: before any operator is understood"""
    made = scene([note("a", "tips", path="notes/a.md")], words=hits("a"))
    assert made.ask(BRAIN, "car -tips").results[0].score == pytest.approx(0.82 / 61)
