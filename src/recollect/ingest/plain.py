"""The text of a plain file in, a page out. Pure: its title is its file name, nothing is guessed."""

from recollect.ingest.page import Page
from recollect.ingest.paths import name_of


def plain_page(path: str, text: str) -> Page:
    title = name_of(path).rpartition(".")[0] or name_of(path)
    return Page(title=title, text=text, lines=range(1, text.count("\n") + 2))
