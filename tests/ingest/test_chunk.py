"""Passages: nothing lost, nothing too long, every line where it says."""

import re
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.ingest.chunk import PIECES, Sizes, passages_of, pieces_of
from recollect.ingest.formats import page_of
from recollect.ingest.markdown import markdown_page
from recollect.model.note import Passage

SMALL = Sizes(pieces=32, overlap=8)


def cut(text: str, sizes: Sizes | None = None) -> tuple[Passage, ...]:
    return passages_of("n", markdown_page("Name.md", text), sizes)


def test_each_heading_starts_a_passage_that_knows_its_path() -> None:
    found = cut("intro\n\n# One\n\ntext\n\n## Two\n\nmore\n\n# Three\n\nend\n")
    assert [(p.heading, p.first_line, p.last_line) for p in found] == [
        ((), 1, 1),
        (("One",), 3, 5),
        (("One", "Two"), 7, 9),
        (("Three",), 11, 13),
    ]
    assert [p.id for p in found] == ["n#0", "n#1", "n#2", "n#3"]


def test_a_heading_without_text_joins_what_it_heads() -> None:
    found = cut("# One\n\n## Two\n\ntext\n\n## Three\n\n## Four\n\nmore\n")
    assert [p.heading for p in found] == [("One", "Two"), ("One", "Three"), ("One", "Four")]
    assert found[0].text == "# One\n\n## Two\n\ntext"


def test_lines_are_those_of_the_file_below_its_front_matter() -> None:
    found = cut("---\ntitle: T\n---\n\nfirst\n\n# H\n\nlast\n")
    assert [(p.first_line, p.last_line) for p in found] == [(5, 5), (7, 9)]


@pytest.mark.parametrize("text", ["", "\n\n \n", "---\ntitle: Only a title\n---\n"])
def test_a_page_without_text_has_one_passage_its_title(text: str) -> None:
    (only,) = cut(text)
    assert only.text in ("Name", "Only a title")
    assert only.id == "n#0"


def test_passages_of_one_section_overlap() -> None:
    words = " ".join(f"word{n}" for n in range(200))
    found = cut(words, SMALL)
    assert len(found) > 5
    for earlier, later in pairwise(found):
        assert later.text.split()[0] in earlier.text.split()


def test_sections_do_not_overlap() -> None:
    found = cut("# A\n\none two\n\n# B\n\nthree\n", SMALL)
    assert "two" not in found[1].text


def test_without_an_overlap_each_word_stands_once() -> None:
    words = [f"word{n}" for n in range(200)]
    found = cut(" ".join(words), Sizes(32, 0))
    assert [word for p in found for word in p.text.split()] == words


def test_a_block_of_code_that_fits_is_kept_together() -> None:
    code = "```\n" + "\n".join(f"line{n}" for n in range(12)) + "\n```"
    text = "some words before it " * 4 + "\n\n" + code + "\n\nand some after it\n"
    assert any(code in p.text for p in cut(text, SMALL))


def test_a_block_of_code_too_long_is_cut_between_its_lines() -> None:
    lines = [f"statement number {n}" for n in range(60)]
    found = cut("```\n" + "\n".join(lines) + "\n```", SMALL)
    assert all(line in ("```", *lines) for p in found for line in p.text.split("\n"))


def test_chinese_is_cut_at_the_end_of_a_sentence() -> None:
    found = cut("今天天气很好我们去公园散步。" * 20, SMALL)
    assert all(p.text.endswith("。") for p in found)


def test_thai_is_not_cut_between_a_letter_and_its_signs() -> None:
    found = cut("ที่นี่มีน้ำ" * 60, SMALL)
    assert all(p.text[0] not in "\u0e31\u0e34\u0e35\u0e48\u0e49\u0e33" for p in found)


def test_the_default_leaves_room_for_title_and_headings() -> None:
    assert max(pieces_of(p.text) for p in cut("some words here. " * 2000)) <= PIECES < 256


@pytest.mark.parametrize("unit", ["word ", "x", "字", "\n", "a\n", " ", "a" * 90 + " ", "#", "`"])
def test_a_giant_line_is_cut_in_one_go(unit: str) -> None:
    started = time.process_time()
    found = cut(unit * (2_000_000 // len(unit)))
    assert time.process_time() - started < 10
    assert max(pieces_of(p.text) for p in found) <= PIECES


_WORD = st.sampled_from(["w", "longer", "字字字", "ไทย", "é", "x" * 60, "`c`", "y" * 300])
_GAP = st.sampled_from(
    [" ", "  ", "\n", "\n\n", ". ", "\n\n# H\n\n", "\n\n## S\n", "\n```\n", "\n    "]
)
_TEXTS = st.lists(st.tuples(_WORD, _GAP), max_size=60)
_SIZES = st.sampled_from([Sizes(32, 0), Sizes(32, 16), Sizes(32, 8), Sizes(64, 20)])


def _numbered(parts: list[tuple[str, str]]) -> str:
    return "".join(f"{word}«{number}»{gap}" for number, (word, gap) in enumerate(parts))


@settings(max_examples=300)
@given(_TEXTS, _SIZES)
def test_no_passage_is_longer_than_asked(parts: list[tuple[str, str]], sizes: Sizes) -> None:
    assert all(pieces_of(p.text) <= sizes.pieces for p in cut(_numbered(parts), sizes))


@settings(max_examples=300)
@given(_TEXTS, _SIZES)
def test_every_passage_stands_on_the_lines_it_names(
    parts: list[tuple[str, str]], sizes: Sizes
) -> None:
    text = _numbered(parts)
    lines = text.split("\n")
    for p in cut(text, sizes):
        if parts:
            stretch = "\n".join(lines[p.first_line - 1 : p.last_line])
            assert p.text in stretch
            assert p.text.split("\n")[0] in lines[p.first_line - 1]
            assert p.text.split("\n")[-1] in lines[p.last_line - 1]
            assert p.text.count("\n") == p.last_line - p.first_line


@settings(max_examples=300)
@given(st.integers(0, 400), st.lists(st.integers(0, 400)), _SIZES)
def test_every_character_is_in_some_passage(size: int, breaks: list[int], sizes: Sizes) -> None:
    letters = [chr(0x4E00 + n) if n % 3 else chr(0x100 + n) for n in range(size)]
    for place in breaks:
        if place < size:
            letters[place] += "\n" if place % 2 else " "
    text = "".join(letters)
    held = set("".join(p.text for p in cut(text, sizes)))
    assert set(text) - held <= {"\n", " "}


@settings(max_examples=300)
@given(_TEXTS, _SIZES)
def test_no_word_that_fits_is_cut(parts: list[tuple[str, str]], sizes: Sizes) -> None:
    spaced = [(word, gap) for word, gap in parts if not re.search("[字ไ]", word)]
    text = _numbered(spaced)
    fitting = {word for word in text.split() if pieces_of(word) < sizes.pieces}
    whole = {word for p in cut(text, sizes) for word in p.text.split()}
    assert fitting <= whole


@given(st.text(max_size=400))
def test_any_text_at_all_is_cut(text: str) -> None:
    for path in ("a.md", "a.txt", "a.html"):
        page = page_of(path, text.replace("\r", "\n"))
        found = passages_of("n", page, SMALL)
        assert found
        assert all(p.text.strip() for p in found)
