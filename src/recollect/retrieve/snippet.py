"""A passage and the words asked for in, the stretch of it that shows them out. Pure."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from recollect.retrieve.words import fold, stem, tokens

WIDTH: Final = 240
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Snippet:
    """Plain text and where in it the matches stand; how to mark them is a face's own business."""

    text: str
    highlights: tuple[tuple[int, int], ...]


def snippet(text: str, words: Iterable[str], width: int = WIDTH) -> Snippet:
    """The window of the text with most of the words in it, on one line."""
    line = " ".join(text.split())
    matches = _matches(line, words)
    start = _best_start(matches, len(line), width)
    start = _word_start(line, start)
    shown = line[start : start + width]
    inside = tuple(
        (begin - start, min(end - start, len(shown)))
        for begin, end, _ in matches
        if start <= begin < start + len(shown)
    )
    return Snippet(shown, inside)


def _matches(line: str, words: Iterable[str]) -> list[tuple[int, int, str]]:
    wanted = {stem(word) for word in words}
    found: list[tuple[int, int, str]] = []
    for match in _WORD.finditer(line):
        own = _stems(match.group())
        if own.isdisjoint(wanted):
            continue
        if len(own) > 1:
            found.extend(_inside(match, wanted))
        else:
            [word] = own
            found.append((match.start(), match.end(), word))
    return found


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
