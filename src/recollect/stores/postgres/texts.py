"""Texts as Postgres can keep them, and back: it knows no NUL, and files have some. Pure, and exact."""

from typing import Final

_NUL: Final = "\x00"
_MARK: Final = "\ue000"  # of private use; where a text has one of its own, that is marked too


def kept(text: str) -> str:
    if _NUL not in text and _MARK not in text:
        return text
    return text.replace(_MARK, f"{_MARK}1").replace(_NUL, f"{_MARK}0")


def given(text: str) -> str:
    if _MARK not in text:
        return text
    return text.replace(f"{_MARK}0", _NUL).replace(f"{_MARK}1", _MARK)
