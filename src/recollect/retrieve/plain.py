"""A passage as it was written in, the words a reader sees on one line out. Pure.

Markdown's marks are left out and what they mark stays; blocks are set apart by a dot. Code keeps every
character, and so does whatever only looks like a mark: `2 * 3 * 4`, `snake_case`, `*args`.
"""

import re
from collections.abc import Iterator
from typing import Final

APART: Final = " · "
DOUBLE: Final = " · · "
LONGEST: Final = 300
"""Of what stands between two marks: a text of a megabyte is read in one go, whatever it is made of."""

_MARKS: Final = re.compile(r"[\[*_~\\`]")
_FENCE: Final = re.compile(r"\s*(`{3,}|~{3,})")
_HEADING: Final = re.compile(r"\s{0,3}#{1,6}\s+(.*)")
_RULE: Final = re.compile(r"\s*([-*_=])(?:\s*\1){2,}\s*$")
_TABLE_RULE: Final = frozenset(" \t:|-")
_QUOTE: Final = re.compile(r"(?:\s*>)+\s?")
_ITEM: Final = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[([ xX])\]\s+)?")

_CODE: Final = re.compile(rf"(`+)([^`\n]{{1,{LONGEST}}})\1")
_WIKILINK: Final = re.compile(
    rf"!?\[\[([^\[\]|\n]{{1,{LONGEST}}})(?:\|([^\[\]\n]{{1,{LONGEST}}}))?\]\]"
)
_LINK: Final = re.compile(rf"!?\[([^\[\]\n]{{0,{LONGEST}}})\]\([^()\n]{{0,2000}}\)")
_STRONG: Final = re.compile(rf"\*\*(?=[^\s*])([^*\n]{{1,{LONGEST}}})(?<!\s)\*\*")
_SOFT: Final = re.compile(
    rf"(?<![\w*\\])\*(?=[^\s*])([^*\n]{{1,{LONGEST}}})(?<!\s)\*(?![\w*])"
    rf"|(?<![\w_\\])_(?=[^\s_])([^_\n]{{1,{LONGEST}}})(?<!\s)_(?![\w_])"
)
_STRUCK: Final = re.compile(rf"~~(?=\S)([^~\n]{{1,{LONGEST}}})(?<!\s)~~")
_ESCAPED: Final = re.compile(r"\\([\\`*_{}\[\]()#+\-.!>~|])")


def plain(text: str) -> str:
    """On one line, so that nothing of where the lines ended is left but the dots between blocks."""
    line = " ".join("".join(_pieces(text)).split())
    return line.replace(DOUBLE, APART).removesuffix(APART.rstrip()).rstrip()


def _pieces(text: str) -> Iterator[str]:
    fence, began = "", False
    for line in text.splitlines():
        if not line:
            continue
        if line[0].isalpha() and not fence:  # nearly every line
            yield f"{_inline(line)} "
            began = True
            continue
        mark = _FENCE.match(line)
        if fence:
            ends = mark is not None and mark[1].startswith(fence)
            yield "" if ends else f"{line} "
            fence = "" if ends else fence
        elif mark:
            fence = mark[1]
        elif not _RULE.match(line) and not _is_table_rule(line):
            yield from _line(line, first=not began)
            began = began or bool(line.strip())


def _is_table_rule(line: str) -> bool:
    return "|" in line and "-" in line and _TABLE_RULE.issuperset(line)


def _line(line: str, *, first: bool) -> Iterator[str]:
    heading = _HEADING.match(line)
    if heading:
        yield f"{'' if first else APART}{_inline(_unclosed(heading[1]))}{APART}"
        return
    bare = _QUOTE.sub("", line, count=1) if line.lstrip().startswith(">") else line
    item = _ITEM.match(bare)
    if item:
        box = {None: "", " ": "☐ "}.get(item[1], "☑ ")
        yield f"{'' if first else APART}{box}{_inline(bare[item.end() :])} "
    elif bare.strip().startswith("|"):
        cells = [_inline(cell.strip()) for cell in bare.strip().strip("|").split("|")]
        yield f"{APART.join(cell for cell in cells if cell)}{APART}"
    else:
        yield f"{_inline(bare)} "


def _unclosed(heading: str) -> str:
    """Without the marks that may close a heading as they opened it; C# keeps its own."""
    words, _, last = heading.rstrip().rpartition(" ")
    return words if last and not last.strip("#") else heading


def _inline(text: str) -> str:
    """Code is set aside first: its marks are its own."""
    if not _MARKS.search(text):
        return text
    parts, at = [], 0
    for code in _CODE.finditer(text) if "`" in text else ():
        parts += [_unmarked(text[at : code.start()]), code[2]]
        at = code.end()
    return "".join([*parts, _unmarked(text[at:])])


def _unmarked(text: str) -> str:
    if "[" in text:
        text = _LINK.sub(r"\1", _WIKILINK.sub(_name, text))
    if "*" in text or "_" in text:
        text = _SOFT.sub(lambda found: found[1] or found[2], text)
        text = _STRONG.sub(r"\1", text)
    text = _STRUCK.sub(r"\1", text) if "~" in text else text
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


def _name(link: re.Match[str]) -> str:
    """What a wikilink is called here, else the note it leads to and the place within it."""
    return (link[2] or link[1].replace("#", " › ")).strip(" \\")
