"""What a markdown page says: its title, headings, links and tags, and what is not one."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.ingest.blocks import blocks_of
from recollect.ingest.markdown import markdown_page
from recollect.ingest.page import Heading, Mention, Page


def page(text: str, path: str = "folder/File name.md") -> Page:
    return markdown_page(path, text)


def targets(text: str) -> list[str]:
    return [mention.target for mention in page(text).mentions]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: From front matter\n---\n# From heading\n", "From front matter"),
        ("Intro\n\n# From *heading* `code` [[Note|label]]\n", "From heading code label"),
        ("From underline\n====\n", "From underline"),
        ("## Only a second level\n", "File name"),
        ("", "File name"),
    ],
)
def test_the_title_is_front_matter_then_heading_then_file_name(text: str, title: str) -> None:
    assert page(text).title == title


def test_dots_in_a_file_name_belong_to_the_title() -> None:
    assert page("", "dendron.topic.md").title == "dendron.topic"


def test_lines_count_from_the_top_of_the_file() -> None:
    read = page("---\ntitle: T\n---\nfirst\n# Second\n")
    assert list(read.lines) == [4, 5, 6]
    assert read.headings == (Heading(1, "Second", 1),)


def test_headings_have_levels_and_no_closing_marks() -> None:
    read = page("# One #\n\n##Not one\n\n### Three ###\n\nUnder\n---\n\n####### seven\n")
    assert [(h.level, h.text) for h in read.headings] == [(1, "One"), (3, "Three"), (2, "Under")]


@pytest.mark.parametrize(
    ("written", "mention"),
    [
        ("[[Note]]", Mention("Note")),
        ("[[Note|label]]", Mention("Note", "label")),
        ("[[Note\\|in a table]]", Mention("Note", "in a table")),
        ("[[Note#Heading|label]]", Mention("Note", "label")),
        ("[[Note#^block]]", Mention("Note")),
        ("[[Note^block]]", Mention("Note")),
        ("![[Note]]", Mention("Note", kind="embed")),
        ("[[folder/Note.md]]", Mention("folder/Note.md")),
        ("[text](Note.md)", Mention("./Note.md")),
        ("[text](My%20Note.md#part)", Mention("./My Note.md")),
        ("[text](<My Note.md>)", Mention("./My Note.md")),
        ('[text](Note.md "a title")', Mention("./Note.md")),
        ("[text](../up/Note.md)", Mention("../up/Note.md")),
        ("[text](/top/Note.md)", Mention("/top/Note.md")),
        ("[text](a_(b).md)", Mention("./a_(b).md")),
        ("[te[x]t](Note.md)", Mention("./Note.md")),
        ("![alt](picture.png)", Mention("./picture.png", kind="embed")),
        ("[text][ref]\n\n[ref]: Note.md", Mention("./Note.md")),
        ("[t](caf%C3%A9.md)", Mention("./café.md")),
    ],
)
def test_a_link_may_be_written_in_many_ways(written: str, mention: Mention) -> None:
    assert page(f"before {written} after\n" if "\n" not in written else written).mentions == (
        mention,
    )


@pytest.mark.parametrize(
    "written",
    [
        "[[#Heading here]]",
        "[text](#here)",
        "[text](https://example.org/Note.md)",
        "[text](mailto:a@example.org)",
        "[text](//example.org/x)",
        "[text]()",
        "[^1]: a footnote",
        "`[[code]]`",
        "``a ` [[code]] b``",
        "```\n[[code]]\n```",
        "~~~~ python\n[[code]]\n~~~\n[[code]]\n~~~~",
        "> ```\n> [[code]]\n> ```",
        "- item\n\n  ```\n  [[code]]\n  ```",
        "text\n\n    [[indented code]]\n",
        "<!-- [[comment]] -->",
        "%% [[comment]] %%",
        "```\n[[never closed]]",
    ],
)
def test_what_is_no_link_to_another_note_is_none(written: str) -> None:
    assert targets(written) == []


@pytest.mark.parametrize(
    "written",
    [
        "```\ncode\n```\n[[Note]]",
        "> ```\n> code, never closed\n\n[[Note]]",
        "a ` lone backtick [[Note]]",
        "- item\n\n    [[Note]] in a list, not code",
        "text\n    [[Note]] goes on, no code",
        "``` not a fence ``` [[Note]]",
        "<!-- never closed [[Note]]",
        "\\`[[Note]]\\`",
    ],
)
def test_a_link_near_code_is_still_a_link(written: str) -> None:
    assert targets(written) == ["Note"]


def test_each_link_is_told_once() -> None:
    assert targets("[[A]] [[B]] [[A]]") == ["A", "B"]


def test_tags_are_found_where_obsidian_finds_them() -> None:
    read = page(
        "#One two#three #1984 #a/b-c, (#paren) `#code` #日本語 # heading #y1984 [x](#anchor)\n"
    )
    assert read.tags == ("one", "a/b-c", "paren", "日本語", "y1984")


def test_tags_of_front_matter_come_first_and_once() -> None:
    assert page("---\ntags: [x, y]\n---\n#z #x\n").tags == ("x", "y", "z")


_MARKUP = st.text(alphabet=st.sampled_from("ab \n`~#>-[]()|!%<\t\\1."), max_size=200)


@given(_MARKUP)
def test_prose_stands_where_it_stood(text: str) -> None:
    prose = blocks_of(text).prose
    assert len(prose) == len(text)
    assert all(now in (" ", was) for now, was in zip(prose, text, strict=True))


@given(_MARKUP)
def test_headings_and_code_come_in_the_order_of_their_lines(text: str) -> None:
    blocks = blocks_of(text)
    lines = [heading.line for heading in blocks.headings]
    assert lines == sorted(set(lines))
    edges = [edge for block in blocks.code for edge in block]
    assert edges == sorted(edges)
    assert all(0 <= line < text.count("\n") + 1 for line in lines + edges)


@pytest.mark.parametrize(
    "flood",
    ["`", "` `` ", "[[", "](", '](a "', "<!--", "%%", "#", "# ", "![", "> ", "[a]: ", "*_", "- "],
)
def test_a_flood_of_marks_is_read_in_one_go(flood: str) -> None:
    started = time.process_time()
    page(flood * (400_000 // len(flood)))
    page("# " + flood * (400_000 // len(flood)))
    assert time.process_time() - started < 5
