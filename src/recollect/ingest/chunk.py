"""A page in, its passages out: cut by heading, overlapping, sized for the model. Pure.

A passage is a stretch of the page's text exactly as written, so its lines are the file's lines. No
word that fits is cut, nor a block of code that fits; together the passages hold every character.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from recollect.ingest.page import Heading, Page
from recollect.model.note import Passage

PIECES: Final = 224
"""all-MiniLM-L6-v2 reads 256 word pieces and drops the rest without a word; the title and headings
that a passage is embedded under take their share of them."""

OVERLAP: Final = 32

LETTERS_PER_PIECE: Final = 4
"""A word piece is about four letters of English; a sign of a script without spaces is one piece."""

_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*(?=\s)|[。！？]+")
_NOT_BLANK = re.compile(r"\S")
_KEPT_INDENT: Final = 32
_LONGEST_CLUSTER: Final = 8


@dataclass(frozen=True, slots=True)
class Sizes:
    """In word pieces. An overlap repeats the end of one passage at the start of the next."""

    pieces: int = PIECES
    overlap: int = OVERLAP


def passages_of(note_id: str, page: Page, sizes: Sizes | None = None) -> tuple[Passage, ...]:
    """A page without text still has one passage: its title."""
    cutter = _Cutter(page, sizes or Sizes())
    spans = [
        (start, stop, heading)
        for first, last, heading in _sections(page, cutter.line_starts)
        for start, stop in cutter.cut(first, last)
    ]
    if not spans:
        line = page.lines[0]
        return (Passage(f"{note_id}#0", note_id, page.title, first_line=line, last_line=line),)
    return tuple(
        Passage(
            id=f"{note_id}#{number}",
            note_id=note_id,
            text=page.text[start:stop],
            heading=heading,
            first_line=cutter.file_line(start),
            last_line=cutter.file_line(stop - 1),
        )
        for number, (start, stop, heading) in enumerate(spans)
    )


def pieces_of(text: str) -> int:
    """About how many word pieces a model will make of this, rounded up."""
    return -(-_weight(text) // LETTERS_PER_PIECE)


def _weight(text: str) -> int:
    if text.isascii():
        return len(text)
    return len(text) + (LETTERS_PER_PIECE - 1) * len(_UNSPACED.findall(text))


def _length_within(text: str, limit: int) -> int:
    """How many letters from its start weigh no more than the limit."""
    extra = 0
    if not text.isascii():
        for sign in _UNSPACED.finditer(text):
            if sign.start() + extra + LETTERS_PER_PIECE > limit:
                return min(sign.start(), limit - extra)
            extra += LETTERS_PER_PIECE - 1
    return min(len(text), limit - extra)


def _sections(page: Page, line_starts: list[int]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Offsets and heading path of each. A heading without text of its own joins what it heads."""
    yield 0, line_starts[page.headings[0].line] if page.headings else len(page.text), ()
    path: list[Heading] = []
    begins: int | None = None
    for heading, following in zip_longest(page.headings, page.headings[1:]):
        path = [above for above in path if above.level < heading.level] + [heading]
        start = line_starts[heading.line]
        stop = line_starts[following.line] if following else len(page.text)
        begins = start if begins is None else begins
        if following and following.level > heading.level and _is_bare(page.text[start:stop]):
            continue
        yield begins, stop, tuple(above.text for above in path)
        begins = None


def _is_bare(section: str) -> bool:
    return not section.partition("\n")[2].strip()


class _Cutter:
    """Cuts stretches of one page's text."""

    def __init__(self, page: Page, sizes: Sizes) -> None:
        self._text = page.text
        self._lines = page.lines
        self._limit = sizes.pieces * LETTERS_PER_PIECE
        self._overlap = sizes.overlap * LETTERS_PER_PIECE
        self.line_starts = [0, *(newline.end() for newline in re.finditer("\n", page.text))]
        ends = [*self.line_starts[1:], len(page.text)]
        self._code = [(self.line_starts[first], ends[last]) for first, last in page.code]
        self._code_starts = [start for start, _ in self._code]

    def file_line(self, offset: int) -> int:
        return self._lines[bisect_right(self.line_starts, offset) - 1]

    def cut(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """`done` is how far the passages have come, `fresh` the first letter none of them holds."""
        done = start
        while (fresh := self._not_blank(done, end)) < end:
            begin, stop = self._next(self._rewound(start, done), done, fresh, end)
            yield begin, begin + len(self._text[begin:stop].rstrip())
            start, done = begin, stop

    def _next(self, rewound: int, done: int, fresh: int, end: int) -> tuple[int, int]:
        """With the overlap before it, unless that would cut a word or a block of code."""
        begin = self._indented(self._not_blank(rewound, end), rewound)
        stop, clean = self._stop(begin, fresh, end)
        if clean or rewound >= done:
            return begin, stop
        begin = self._indented(fresh, done)
        return begin, self._stop(begin, fresh, end)[0]

    def _stop(self, begin: int, fresh: int, end: int) -> tuple[int, bool]:
        """Where the passage from `begin` ends, beyond `fresh`; and whether it ends well there."""
        reach = self._reach(begin)
        if reach >= end:
            return end, True
        code = self._code_around(reach)
        if code is None or not self._fits(*code):
            return self._break(begin, fresh, reach)
        if code[0] > fresh:
            return code[0], True
        return self._break(begin, fresh, reach)[0], False

    def _break(self, begin: int, fresh: int, reach: int) -> tuple[int, bool]:
        """The last good place in the latter half: an empty line, a line, a sentence, a word."""
        low = max(begin + (reach - begin) // 2, fresh + 1)
        for mark in ("\n\n", "\n"):
            found = self._text.rfind(mark, low, reach + 1)
            if found > 0:
                return found, True
        sentences = [mark.end() for mark in _SENTENCE_END.finditer(self._text, low, reach + 1)]
        if sentences and sentences[-1] <= reach:
            return sentences[-1], True
        return self._between_words(low, fresh, reach)

    def _between_words(self, low: int, fresh: int, reach: int) -> tuple[int, bool]:
        for lowest in (low, fresh + 1):
            for offset in range(reach, lowest - 1, -1):
                if self._text[offset].isspace() or self._text[offset - 1].isspace():
                    return offset, True
                if _UNSPACED.match(self._text, offset - 1) or _UNSPACED.match(self._text, offset):
                    return self._whole_cluster(offset, lowest), True
        return self._whole_cluster(reach, fresh + 1), False

    def _whole_cluster(self, offset: int, lowest: int) -> int:
        """Not between a letter and the signs that belong to it."""
        for earlier in range(offset, max(lowest, offset - _LONGEST_CLUSTER), -1):
            if not _joins(self._text[earlier]):
                return earlier
        return offset

    def _rewound(self, start: int, done: int) -> int:
        """Where the overlap before `done` starts: at a line, a sentence, a word."""
        low = max(self._reach_back(done), start + (done - start) // 2)
        if low >= done:
            return done
        newline = self._text.find("\n", low, done - 1)
        if newline >= 0:
            return newline + 1
        sentence = _SENTENCE_END.search(self._text, low, done - 1)
        if sentence:
            return sentence.end()
        return next((at for at in range(low, done) if self._starts_word(at)), done)

    def _starts_word(self, offset: int) -> bool:
        if _UNSPACED.match(self._text, offset):
            return not _joins(self._text[offset])
        return self._text[offset - 1].isspace() and not self._text[offset].isspace()

    def _reach(self, begin: int) -> int:
        """The furthest a passage from here may go."""
        return begin + _length_within(self._text[begin : begin + self._limit], self._limit)

    def _reach_back(self, done: int) -> int:
        window = self._text[max(0, done - self._overlap) : done]
        return done - _length_within(window[::-1], self._overlap)

    def _fits(self, start: int, stop: int) -> bool:
        return stop - start <= self._limit and _weight(self._text[start:stop]) <= self._limit

    def _code_around(self, offset: int) -> tuple[int, int] | None:
        place = bisect_right(self._code_starts, offset) - 1
        if place >= 0 and self._code[place][0] < offset < self._code[place][1]:
            return self._code[place]
        return None

    def _not_blank(self, start: int, end: int) -> int:
        found = _NOT_BLANK.search(self._text, start, end)
        return found.start() if found else end

    def _indented(self, first: int, begin: int) -> int:
        """The start of the line of the first letter, where only a little blank stands before it."""
        line_start = self._text.rfind("\n", 0, first) + 1
        return line_start if line_start >= begin and first - line_start <= _KEPT_INDENT else first


def _joins(letter: str) -> bool:
    return letter in "\u200d\ufe0e\ufe0f" or unicodedata.category(letter) in ("Mn", "Mc", "Me")
