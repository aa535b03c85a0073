"""A markdown text in; its headings, its blocks of code, and the text without code out. Pure.

Code is blanked, not cut: what is found in the rest stands at the same place in the original. Links
and tags are looked for there, so that no example is taken for the real thing.
"""

import re
from dataclasses import dataclass, field

from recollect.ingest.page import Heading

_FENCE = re.compile(r"((?:[ \t]*>)*[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?)(`{3,}|~{3,})(.*)")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
_CLOSING_MARKS = re.compile(r"(?:^|[ \t])#+$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*")
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]")
_NO_PARAGRAPH = re.compile(r"[ \t]*(?:[>|#]|[-*+][ \t]|\d+[.)][ \t]|$)")
_INDENTED = re.compile(r"(?: {4}| {0,3}\t)[ \t]*\S")
_BACKTICKS = re.compile(r"\\`|`+")
_NOT_NEWLINE = re.compile(r"[^\n]")
_COMMENTS = (("<!--", "-->"), ("%%", "%%"))


@dataclass(frozen=True, slots=True)
class Blocks:
    headings: tuple[Heading, ...]
    code: tuple[tuple[int, int], ...]
    prose: str


def blocks_of(text: str) -> Blocks:
    walk = _Walk(text.split("\n"))
    for number in range(len(walk.lines)):
        walk.step(number)
    walk.close_code(len(walk.lines) - 1)
    prose = _blank_comments(_blank_inline_code("\n".join(walk.prose)))
    return Blocks(tuple(walk.headings), tuple(walk.code), prose)


@dataclass(slots=True)
class _Walk:
    """Down the lines once, remembering what the line before was."""

    lines: list[str]
    prose: list[str] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    code: list[tuple[int, int]] = field(default_factory=list)
    fence: str = ""
    quoted: bool = False
    code_start: int | None = None
    in_list: bool = False
    after_blank: bool = True

    def step(self, number: int) -> None:
        line = self.lines[number]
        if self.code_start is None and (not line or line[0].isalpha()):  # nearly every line
            self.prose.append(line)
            self.in_list = self.in_list and not line
            self.after_blank = not line
            return
        is_code = self._fenced(line, number) or self._indented(line, number)
        if not is_code:
            self._heading(line, number)
            self._remember(line)
        self.prose.append(" " * len(line) if is_code else line)
        self.after_blank = not line.strip()

    def close_code(self, last: int) -> None:
        if self.code_start is not None:
            while last > self.code_start and not self.lines[last].strip():
                last -= 1
            self.code.append((self.code_start, last))
        self.fence, self.quoted, self.code_start = "", False, None

    def _fenced(self, line: str, number: int) -> bool:
        mark = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if self.quoted and not line.lstrip().startswith(">"):
            self.close_code(number - 1)  # the quotation is over, and with it the code inside
        if self.fence:
            if mark and mark[2].startswith(self.fence) and not mark[3].strip():
                self.close_code(number)
            return True
        if mark is None or (mark[2][0] == "`" and "`" in mark[3]):
            return False
        self.close_code(number - 1)
        self.fence, self.code_start = mark[2], number
        self.quoted = ">" in mark[1]
        return True

    def _indented(self, line: str, number: int) -> bool:
        """Four blanks make code only after an empty line, and never within a list."""
        if self.code_start is not None:
            if not line.strip() or _INDENTED.match(line):
                return True
            self.close_code(number - 1)
            return False
        if self.in_list or not self.after_blank or not _INDENTED.match(line):
            return False
        self.code_start = number
        return True

    def _heading(self, line: str, number: int) -> None:
        mark = _HEADING.match(line)
        if mark:
            text = _CLOSING_MARKS.sub("", line[mark.end() :].strip()).strip()
            self.headings.append(Heading(len(mark[1]), text, number))
        elif self._underlines(line):
            level = 1 if "=" in line else 2
            self.headings.append(Heading(level, self.lines[number - 1].strip(), number - 1))

    def _underlines(self, line: str) -> bool:
        if self.after_blank or not _UNDERLINE.fullmatch(line):
            return False
        return not _NO_PARAGRAPH.match(self.prose[-1])

    def _remember(self, line: str) -> None:
        if _LIST_ITEM.match(line):
            self.in_list = True
        elif line.strip() and not line.startswith((" ", "\t")):
            self.in_list = False


def _blank_comments(prose: str) -> str:
    for opening, closing in _COMMENTS:
        start = prose.find(opening)
        pieces, written = [], 0
        while start >= 0 and (end := prose.find(closing, start + len(opening))) >= 0:
            end += len(closing)
            pieces += [prose[written:start], _blank(prose[start:end])]
            written, start = end, prose.find(opening, end)
        prose = "".join(pieces) + prose[written:]
    return prose


def _blank(text: str) -> str:
    return _NOT_NEWLINE.sub(" ", text)


def _blank_inline_code(prose: str) -> str:
    """A run of backticks opens code; the next run of the same length in the paragraph closes it."""
    if "`" not in prose:
        return prose
    return "\n\n".join(_blank_spans(paragraph) for paragraph in prose.split("\n\n"))


def _blank_spans(paragraph: str) -> str:
    if "`" not in paragraph:
        return paragraph
    runs = [run.span() for run in _BACKTICKS.finditer(paragraph) if run[0][0] == "`"]
    closing = _closing_runs(runs)
    pieces, written, number = [], 0, 0
    while number < len(runs):
        closer = closing[number]
        if closer is None:
            number += 1
            continue
        start, end = runs[number][0], runs[closer][1]
        pieces += [paragraph[written:start], _blank(paragraph[start:end])]
        written, number = end, closer + 1
    return "".join(pieces) + paragraph[written:]


def _closing_runs(runs: list[tuple[int, int]]) -> list[int | None]:
    """From the back, so that a line of a million backticks is still read in one go."""
    closing: list[int | None] = [None] * len(runs)
    next_of_length: dict[int, int] = {}
    for number in range(len(runs) - 1, -1, -1):
        length = runs[number][1] - runs[number][0]
        closing[number] = next_of_length.get(length)
        next_of_length[length] = number
    return closing
