"""Text in, searchable tokens out: any script, any accent, any odd space. Pure.

Both sides of a search use these functions, so that what a note says and what a query asks
meet as the same tokens.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

import Stemmer

_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_NOT_TEXT: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_ACCENTS: Final = re.compile("[\u0300-\u036f]")

# Marks of these scripts are part of a word, though Python's \w does not count them as such.
_MARKS: Final = (
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc"
    "\u0900-\u0963\u0966-\u096f\u0971-\u0dff\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ecd"
    "\u0f71-\u0f84\u102b-\u103e\u17b4-\u17d3\u3099\u309a"
)
# Scripts written without spaces between words (Korean has spaces, but glues its particles on).
_UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_RUN: Final = re.compile(
    rf"(?P<unspaced>(?:(?=[\w{_MARKS}])[{_UNSPACED}])+)"
    rf"|(?:(?![{_UNSPACED}_])[\w{_MARKS}])+"
)

_ASCII_RUN: Final = re.compile(r"[a-z0-9]+")

ENGLISH: Final = "english"
LANGUAGES: Final = tuple(sorted(Stemmer.algorithms()))
"""The languages whose words can be reduced to their stems (Snowball's)."""


def normalise(text: str) -> str:
    """NFC, without invisible characters; control characters and every kind of space become a space."""
    composed = unicodedata.normalize("NFC", text)
    visible = _NOT_TEXT.sub(" ", _INVISIBLE.sub("", composed))
    return " ".join(visible.split())


def fold(text: str) -> str:
    """Case and Latin, Greek and Cyrillic accents away; marks that carry meaning elsewhere stay."""
    if text.isascii():
        return text.lower()
    # case folded again: a compatibility character such as ™ comes apart into capitals
    decomposed = unicodedata.normalize("NFKD", text.casefold()).casefold()
    return unicodedata.normalize("NFC", _ACCENTS.sub("", decomposed))


def tokens(text: str) -> list[str]:
    """The tokens of a text in order. A run of an unspaced script becomes its overlapping pairs."""
    if text.isascii():  # six times faster, and most texts are
        return _ASCII_RUN.findall(text.lower())
    found: list[str] = []
    for match in _RUN.finditer(fold(normalise(text))):
        run = match.group()
        if match.lastgroup == "unspaced" and len(run) > 2:
            found.extend(run[at : at + 2] for at in range(len(run) - 1))
        else:
            found.append(run)
    return found


def single_characters(text: str) -> list[str]:
    """Each character of the unspaced runs: what an index adds so that one-character words are found."""
    return [
        character
        for match in _RUN.finditer(fold(normalise(text)))
        if match.lastgroup == "unspaced" and len(match.group()) > 1
        for character in match.group()
    ]


@lru_cache(maxsize=200_000)
def stem(token: str, language: str = ENGLISH) -> str:
    """The stem in this language; of English, a token of another script is its own."""
    if language == ENGLISH and not token.isascii():
        return token
    return str(_stemmer(language).stemWord(token))


@lru_cache
def _stemmer(language: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(language, 0)  # its own cache off: `stem` has one
