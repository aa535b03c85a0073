"""The text of a markdown file in, a page out. Pure; what cannot be read is a warning, no failure.

Reads what Obsidian, Dendron and plain markdown write: front matter, `[[wikilinks]]`, `![[embeds]]`,
`[text](path.md)`, `[text]: path.md`, `#tags`. Code and comments are not mined for any of them.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from recollect.ingest.blocks import blocks_of
from recollect.ingest.front_matter import FrontMatter, front_matter_of
from recollect.ingest.page import Heading, Mention, Page
from recollect.ingest.paths import name_of, without_markdown_suffix

HEADING_CHARACTERS: Final = 300
"""A longer line is no heading anyone reads, whatever it starts with."""

LABEL_CHARACTERS: Final = 1000
"""How far back from its target the start of a link is looked for."""

# Each starts with a literal, which lets the regex engine leap from one candidate to the next.
_WIKILINK = re.compile(r"\[\[([^\[\]\n]+)\]\]")
_BAR = re.compile(r"\\?\|")
_INLINE_LINK = re.compile(
    r"\]\([ \t]*(?:<([^<>\n]*)>|([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*))"
    r"(?:[ \t\n]+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?[ \t]*\)"
)
_DEFINITION = re.compile(r"^ {0,3}\[(?!\^)[^\[\]\n]+\]:[ \t]*(?:<([^<>\n]*)>|(\S+))", re.MULTILINE)
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_ENCODED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_ANCHOR = re.compile(r"[#^]")
_TAG = re.compile(
    r"#(?<![^\s(,;]#)(?<!\]\(#)([^\s#'\"!$%&()*+,.:;<=>?@^`{|}~\[\]\\\u2000-\u206F\u2E00-\u2E7F\u3000-\u303F\uFF00-\uFF0F\uFF1A-\uFF20]+)"
)
_EMPHASIS = re.compile(r"(?<!\w)([*_]{1,3})(\S(?:.*?\S)?)\1(?!\w)")
_LINK_IN_HEADING = re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]|!?\[([^\[\]]*)\]\([^()]*\)")


def markdown_page(path: str, text: str) -> Page:
    front = front_matter_of(text)
    body = text[front.length :]
    first_line = text.count("\n", 0, front.length) + 1
    blocks = blocks_of(body)
    headings = tuple(replace(h, text=_as_read(h.text)) for h in blocks.headings)
    return Page(
        title=front.title or _first_title(headings) or without_markdown_suffix(name_of(path)),
        text=body,
        lines=range(first_line, first_line + body.count("\n") + 1),
        headings=headings,
        code=blocks.code,
        mentions=_mentions(front, blocks.prose),
        tags=tuple(dict.fromkeys((*front.tags, *_tags(blocks.prose)))),
        aliases=front.aliases,
        summary=front.summary,
        created_at=front.created_at,
        modified_at=front.modified_at,
        importance=front.importance,
        warnings=front.warnings,
    )


def local_target(destination: str) -> str:
    """Where a standard link points within the vault; empty for the web or the page itself."""
    if _SCHEME.match(destination) or "[[" in destination:
        return ""
    path = _decoded(re.split(r"[#?]", destination, maxsplit=1)[0]).strip().replace("\\", "/")
    if not path or path.startswith(("/", "../", "./")):
        return path
    return f"./{path}"


def _first_title(headings: Iterable[Heading]) -> str:
    return next((heading.text for heading in headings if heading.level == 1 and heading.text), "")


def _as_read(heading: str) -> str:
    """A heading without the marks around its words."""
    text = heading[:HEADING_CHARACTERS]
    if not any(mark in text for mark in "*_`["):
        return text
    shown = _LINK_IN_HEADING.sub(lambda link: link[1] or link[2] or "", text)
    return _EMPHASIS.sub(r"\2", shown).replace("`", "").strip()


def _mentions(front: FrontMatter, prose: str) -> tuple[Mention, ...]:
    """Each link once, however often the page repeats it."""
    return tuple(dict.fromkeys((*front.mentions, *_wikilinks(prose), *_standard_links(prose))))


def _wikilinks(prose: str) -> Iterator[Mention]:
    if "[[" not in prose:
        return
    for link in _WIKILINK.finditer(prose):
        left, *right = _BAR.split(link[1], maxsplit=1)
        if target := _unanchored(left):
            label = right[0].strip() if right else ""
            yield Mention(target, label, _kind(prose, link.start()))


def _standard_links(prose: str) -> Iterator[Mention]:
    if "](" not in prose and "]:" not in prose:
        return
    for link in _INLINE_LINK.finditer(prose):
        if target := local_target(link[1] or link[2]):
            opening = prose.rfind("[", max(0, link.start() - LABEL_CHARACTERS), link.start())
            yield Mention(target, kind=_kind(prose, opening))
    for pointed, bare in _DEFINITION.findall(prose):
        if target := local_target(pointed or bare):
            yield Mention(target)


def _tags(prose: str) -> Iterator[str]:
    if "#" not in prose:
        return
    for tag in _TAG.findall(prose):
        name = tag.strip("/-").lower()
        if name and not name.isdigit():
            yield name


def _kind(prose: str, opening: int) -> str:
    return "embed" if opening > 0 and prose[opening - 1] == "!" else "link"


def _unanchored(target: str) -> str:
    return _ANCHOR.split(target, maxsplit=1)[0].strip()


def _decoded(text: str) -> str:
    return _ENCODED.sub(_decode, text) if "%" in text else text


def _decode(found: re.Match[str]) -> str:
    try:
        return bytes.fromhex(found[0].replace("%", "")).decode()
    except UnicodeDecodeError:
        return found[0]
