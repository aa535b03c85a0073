"""A file's path and text in, a page out, by the file's suffix. Pure."""

from collections.abc import Callable, Mapping
from typing import Final

from recollect.ingest.html import html_page
from recollect.ingest.markdown import markdown_page
from recollect.ingest.page import Page
from recollect.ingest.paths import MARKDOWN, suffix_of
from recollect.ingest.plain import plain_page

READERS: Final[Mapping[str, Callable[[str, str], Page]]] = {
    **dict.fromkeys(MARKDOWN, markdown_page),
    **dict.fromkeys((".txt", ".text"), plain_page),
    **dict.fromkeys((".html", ".htm", ".xhtml"), html_page),
}
"""What is read at all. Any other file is left out, and the summary says so."""

EDITION: Final = "1"
"""Another number makes every file be read anew: raise it when a reader or the cutting changes."""


def page_of(path: str, text: str) -> Page:
    return READERS[suffix_of(path)](path, text)
