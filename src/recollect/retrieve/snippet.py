"""A passage and the words asked for in, the stretch of it that shows them out, as it is read. Pure."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from recollect.retrieve.ladder import STOP_WORDS
from recollect.retrieve.plain import APART, plain
from recollect.retrieve.words import fold, stem, tokens

WIDTH: Final = 240
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Snippet:
    """Plain text and where in it the matches stand; how to mark them is a face's own business."""

    text: str
    highlights: tuple[tuple[int, int], ...]


def snippet(
    text: str, words: Iterable[str], prefixes: Iterable[str] = (), width: int = WIDTH
) -> Snippet:
    """The window of the text with most of the words in it, on one line, without its marks."""
    line = plain(text)
    matches = _matches(line, _telling(words), tuple(prefixes))
    start = _word_start(line, _best_start(matches, len(line), width))
    shown = _whole_words(line, start, width)
    inside = tuple(
        (begin - start, min(end - start, len(shown)))
        for begin, end, _ in matches
        if start <= begin < start + len(shown)
    )
    return Snippet(shown, inside)


def _telling(words: Iterable[str]) -> set[str]:
    """Marking every `the` hides what was really found; it is marked where nothing else was asked."""
    asked = tuple(words)
    telling = [word for word in asked if word not in STOP_WORDS]
    return {stem(word) for word in telling or asked}


def _matches(line: str, wanted: set[str], prefixes: tuple[str, ...]) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    for match in _WORD.finditer(line):
        own = _stems(match.group())
        begins = _beginning(match.group(), prefixes)
        if begins:
            found.append((match.start(), match.end(), begins))
        elif own.isdisjoint(wanted):
            continue
        elif len(own) > 1:
            found.extend(_inside(match, wanted))
        else:
            [word] = own
            found.append((match.start(), match.end(), word))
    return found


def _beginning(word: str, prefixes: tuple[str, ...]) -> str:
    if not prefixes:
        return ""
    begun = (one for one in prefixes for token in tokens(word) if token.startswith(one))
    return next(begun, "")


@lru_cache(maxsize=100_000)
def _stems(word: str) -> frozenset[str]:
    return frozenset(stem(token) for token in tokens(word))


def _inside(match: re.Match[str], wanted: set[str]) -> list[tuple[int, int, str]]:
    """Matches within a run that is written without spaces, neighbouring ones joined."""
    run, base = fold(match.group()), match.start()
    if len(run) != len(match.group()):
        return [(match.start(), match.end(), match.group())]
    lengths = sorted({len(word) for word in wanted}, reverse=True)
    spans: list[tuple[int, int, str]] = []
    for at in range(len(run)):
        found = (run[at : at + length] for length in lengths)
        word = next((word for word in found if word in wanted), None)
        if word is None:
            continue
        begin, end = base + at, base + at + len(word)
        if spans and spans[-1][1] >= begin:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]), spans[-1][2])
        else:
            spans.append((begin, end, word))
    return spans


def _best_start(matches: list[tuple[int, int, str]], length: int, width: int) -> int:
    if not matches or length <= width:
        return 0
    margin = width // 6
    inside: Counter[str] = Counter()
    best, most, end = 0, (0, 0), 0
    for at, (begin, _, word) in enumerate(matches):
        while end < len(matches) and matches[end][0] < begin + width - margin:
            inside[matches[end][2]] += 1
            end += 1
        if (len(inside), end - at) > most:
            best, most = begin, (len(inside), end - at)
        inside[word] -= 1
        if not inside[word]:
            del inside[word]
    return max(0, min(best - margin, length - width))


def _word_start(line: str, start: int) -> int:
    """The beginning of the word after `start`, if one begins soon."""
    if start == 0 or line[start - 1] == " ":
        return start
    space = line.find(" ", start, start + 30)
    return start if space < 0 else space + 1


def _whole_words(line: str, start: int, width: int) -> str:
    """As many whole words as there is room for; one that is longer than that is cut."""
    shown = line[start : start + width]
    cut_short = start + width < len(line) and line[start + width] != " "
    space = shown.rfind(" ", max(0, width - 30)) if cut_short else -1
    return (shown if space < 0 else shown[:space]).rstrip(APART)
