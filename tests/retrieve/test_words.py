"""Any text comes out as the tokens a person would mean, the same for a note and for a query."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.retrieve.words import fold, normalise, single_characters, stem, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cafe\u0301", "café"),
        ("café", "café"),
        ("zero\u200bwidth", "zerowidth"),
        ("join\u200der\ufeff", "joiner"),
        ("soft\u00adhyphen", "softhyphen"),
        ("non\u00a0breaking", "non breaking"),
        ("thin\u2009space\u3000wide", "thin space wide"),
        ("tab\tnew\r\nline", "tab new line"),
        ("nul\x00bell\x07del\x7f", "nul bell del"),
        ("lone\ud800surrogate", "lone surrogate"),
        ("\u202eright to left\u202c", "right to left"),
        ("  many   spaces  ", "many spaces"),
        ("", ""),
    ],
)
def test_normalising(text: str, expected: str) -> None:
    """R2.5"""
    assert normalise(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, World!", ["hello", "world"]),
        ("snake_case and-dash", ["snake", "case", "and", "dash"]),
        ("it's 3.14", ["it", "s", "3", "14"]),
        ("Café CAFÉ cafe\u0301", ["cafe", "cafe", "cafe"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("ΑΘΗΝΑ Αθήνα", ["αθηνα", "αθηνα"]),
        ("Ёлка", ["елка"]),
        ("İstanbul", ["istanbul"]),
        ("ＦＵＬＬ width", ["full", "width"]),
        ("ﬁne", ["fine"]),
        ("brand™", ["brandtm"]),
        ("𝐁old", ["bold"]),
        ("№5", ["no5"]),
        ("日本", ["日本"]),
        ("日", ["日"]),
        ("日本語", ["日本", "本語"]),
        ("日本語 test", ["日本", "本語", "test"]),
        ("日本語test", ["日本", "本語", "test"]),
        ("हिन्दी", ["हिन्दी"]),
        ("zero\u200bwidth", ["zerowidth"]),
        ("!!! ---", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    """R2.5"""
    assert tokens(text) == expected


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=40))
def test_tokens_of_tokens_are_themselves(text: str) -> None:
    """What a note says and what a query asks must meet: a token read again is the same token."""
    for token in tokens(text):
        assert tokens(token) == [token]


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=40))
def test_normalising_twice_is_normalising_once(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.characters(codec="ascii")))
def test_case_never_matters_in_ascii(text: str) -> None:
    assert tokens(text.upper()) == tokens(text.lower())


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_text_is_read_alike_whatever_stands_beside_it(text: str) -> None:
    """Text of ASCII alone takes a faster way to the same tokens."""
    assert [*tokens(text), "e"] == tokens(f"{text} é")


def test_single_characters_are_those_of_unspaced_runs() -> None:
    assert single_characters("日本語 test 猫") == ["日", "本", "語"]
    assert fold("Ünï") == "uni"


def test_stems_are_english_and_leave_other_scripts_alone() -> None:
    assert stem("upgrading") == stem("upgrade")
    assert stem("日本") == "日本"
    assert stem("über") == "über"
