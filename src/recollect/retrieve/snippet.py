"""A passage and the words asked for in, the stretch of it that shows them out. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
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
        own = {stem(token) for token in tokens(match.group())}
        shared = own & wanted
        if len(own) > 1 and shared:
            found.extend(_inside(match, wanted))
        elif shared:
            found.append((match.start(), match.end(), shared.pop()))
    return found


def _inside(match: re.Match[str], wanted: set[str]) -> list[tuple[int, int, str]]:
    """Matches within a run that is written without spaces, neighbouring ones joined."""
    run, base = fold(match.group()), match.start()
    if len(run) != len(match.group()):
        return [(match.start(), match.end(), match.group())]
    spans: list[tuple[int, int, str]] = []
    for at in range(len(run)):
        for word in wanted:
            if run.startswith(word, at):
                if spans and spans[-1][1] >= base + at:
                    spans[-1] = (spans[-1][0], base + at + len(word), word)
                else:
                    spans.append((base + at, base + at + len(word), word))
    return spans


def _best_start(matches: list[tuple[int, int, str]], length: int, width: int) -> int:
    if not matches or length <= width:
        return 0
    margin = width // 6

    def worth(at: int) -> tuple[int, int]:
        begin = matches[at][0]
        inside = [word for start, _, word in matches[at:] if start < begin + width - margin]
        return len(set(inside)), len(inside)

    best = max(range(len(matches)), key=lambda at: (*worth(at), -at))
    return max(0, min(matches[best][0] - margin, length - width))


def _word_start(line: str, start: int) -> int:
    """The beginning of the word after `start`, if one begins soon."""
    if start == 0 or line[start - 1] == " ":
        return start
    space = line.find(" ", start, start + 30)
    return start if space < 0 else space + 1
