"""HTML and plain text as pages."""

from recollect.ingest.chunk import passages_of
from recollect.ingest.html import html_page
from recollect.ingest.page import Heading, Mention
from recollect.ingest.plain import plain_page

HTML = """<!doctype html>
<html><head><title>The &amp; title</title>
<meta name="description" content="In short.">
<style>p { color: red }</style><script>var hidden = "[[x]]";</script></head>
<body><h1>Heading
one</h1>
<p>Some <b>bold</b> text
that goes on.</p><p>Next</p>
<a href="other.html#part">link</a> <a href="https://example.org">web</a>
<img src="p.png"></body></html>"""


def test_html_gives_its_title_headings_text_and_links() -> None:
    page = html_page("a.html", HTML)
    assert page.title == "The & title"
    assert page.summary == "In short."
    assert page.headings == (Heading(1, "Heading", 0),)
    assert page.mentions == (Mention("./other.html"), Mention("./p.png", kind="embed"))
    assert "hidden" not in page.text
    assert "color" not in page.text
    assert "Some bold text" in page.text


def test_lines_of_html_are_those_of_the_file() -> None:
    page = html_page("a.html", HTML)
    where = dict(zip(page.text.split("\n"), page.lines, strict=True))
    assert where["Some bold text"] == 7
    assert where["that goes on."] == 8
    assert where["Next"] == 8
    assert where["link web"] == 9
    (passage,) = passages_of("n", page)
    assert (passage.first_line, passage.last_line) == (5, 9)


def test_markup_that_is_never_closed_is_read_all_the_same() -> None:
    page = html_page("a.html", "<head><title>T</title><body><p>one<p>two<b>three")
    assert page.text == "one\ntwothree"


def test_a_page_of_html_without_title_goes_by_heading_then_name() -> None:
    assert html_page("x/a.html", "<h1>Big</h1>").title == "Big"
    assert html_page("x/a.html", "").title == "a"


def test_plain_text_goes_by_its_file_name() -> None:
    page = plain_page("x/My notes.txt", "# not a heading\n[[no link]]\n")
    assert page.title == "My notes"
    assert page.headings == ()
    assert page.mentions == ()
    assert list(page.lines) == [1, 2, 3]
