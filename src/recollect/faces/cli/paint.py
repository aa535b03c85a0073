"""Colour, where a person looks on: never in a pipe, never against NO_COLOR."""

import os
import sys
from collections.abc import Iterable

_CODES = {"bold": "1", "dim": "2", "green": "32", "yellow": "33", "cyan": "36", "match": "1;33"}


def paint(text: str, style: str) -> str:
    if not text or not _coloured():
        return text
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m"


def highlighted(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with its matches marked; control characters of a note never reach the terminal."""
    out, last = [], 0
    for start, end in spans:
        out += [plain(text[last:start]), paint(plain(text[start:end]), "match")]
        last = end
    return "".join([*out, plain(text[last:])])


def plain(text: str) -> str:
    """A note's text is data: an escape sequence in it must not drive the terminal."""
    return "".join(c if c.isprintable() or c in "\n\t" else "�" for c in text)


def _coloured() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
