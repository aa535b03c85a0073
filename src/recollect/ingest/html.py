"""The text of an HTML file in, a page out: title, headings, visible text, links. Pure.

Each line of the page's text knows the line of the file it was written on. Broken markup is read as
a browser reads it, without complaint.
"""

from html.parser import HTMLParser
from typing import Final

from recollect.ingest.markdown import local_target
from recollect.ingest.page import Heading, Mention, Page
from recollect.ingest.paths import name_of

HIDDEN: Final = frozenset(("script", "style", "template", "noscript", "svg", "math", "head"))
HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
BREAKS: Final = frozenset(
    (
        *HEADINGS, "address", "article", "aside", "blockquote", "body", "br", "dd", "div", "dl",
        "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "li", "main", "nav",
        "ol", "p", "pre", "section", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
    )
)  # fmt: skip


def html_page(path: str, text: str) -> Page:
    reader = _Reader()
    reader.feed(text)
    reader.close()
    headings = tuple(reader.headings)
    first_h1 = next((heading.text for heading in headings if heading.level == 1), "")
    return Page(
        title=_tidy(reader.title) or first_h1 or name_of(path).rpartition(".")[0],
        text="\n".join(reader.text),
        lines=tuple(reader.lines) or (1,),
        headings=headings,
        mentions=tuple(dict.fromkeys(reader.mentions)),
        summary=reader.summary,
    )


class _Reader(HTMLParser):
    """Gathers as the parser calls: finished lines of text, and the one being written."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title = ""
        self.summary = ""
        self.text: list[str] = []
        self.lines: list[int] = []
        self.headings: list[Heading] = []
        self.mentions: list[Mention] = []
        self._line = ""
        self._written_on = 1
        self._hidden: list[str] = []
        self._heading: int | None = None
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag in BREAKS:
            self._finish_line()
        if tag in HIDDEN:
            self._hidden.append(tag)
        elif tag == "body":
            self._hidden.clear()  # a head that was never closed
        elif tag == "title":
            self._in_title = not self.title
        elif tag == "meta" and attributes.get("name", "").lower() == "description":
            self.summary = _tidy(attributes.get("content", ""))
        elif tag in HEADINGS:
            self._heading = int(tag[1])
        self._mention(tag, attributes)

    def handle_endtag(self, tag: str) -> None:
        if tag in BREAKS:
            self._finish_line()
        if tag in self._hidden:
            del self._hidden[self._hidden.index(tag) :]
        elif tag == "title":
            self._in_title = False
        if tag in HEADINGS:
            self._heading = None

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data
            return
        if self._hidden:
            return
        line_number = self.getpos()[0]
        for number, part in enumerate(data.split("\n")):
            if number:
                self._finish_line()
            if not self._line.strip():
                self._written_on = line_number + number
            self._line += part

    def close(self) -> None:
        super().close()
        self._finish_line()

    def _mention(self, tag: str, attributes: dict[str, str]) -> None:
        place = attributes.get(
            "href" if tag == "a" else "src" if tag in ("img", "embed") else "", ""
        )
        if target := local_target(place):
            self.mentions.append(Mention(target, kind="link" if tag == "a" else "embed"))

    def _finish_line(self) -> None:
        line = _tidy(self._line)
        self._line = ""
        if line:
            if self._heading:
                self.headings.append(Heading(self._heading, line, len(self.text)))
                self._heading = None
            self.text.append(line)
            self.lines.append(self._written_on)


def _tidy(text: str) -> str:
    return " ".join(text.split())
