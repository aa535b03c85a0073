"""Which note a link means (R3.5)."""

import time
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.ingest.links import Names, links_of, names_attachment, style_of
from recollect.ingest.page import Mention
from recollect.ingest.paths import joined
from recollect.ingest.record import FileRecord
from recollect.model.note import Link


def file(path: str, *mentions: Mention, **rest: Any) -> FileRecord:
    return FileRecord(
        path=path,
        note_id=f"id of {path}",
        size=1,
        mtime_ns=1,
        digest=path,
        edition="1",
        created_at=datetime(2024, 1, 1, tzinfo=UTC),
        mentions=mentions,
        **rest,
    )


def names(*paths: str) -> Names:
    return Names(map(file, paths))


@pytest.mark.parametrize(
    ("target", "source", "meant"),
    [
        ("Plan", "x.md", "work/Plan.md"),
        ("Plan.md", "x.md", "work/Plan.md"),
        ("plan", "x.md", "work/Plan.md"),
        ("work/plan", "home/x.md", "work/Plan.md"),
        ("deep/Note", "x.md", "a/deep/Note.md"),
        ("Note", "a/deep/x.md", "a/deep/Note.md"),
        ("Note", "b/x.md", "b/Note.md"),
        ("Note", "a/other/x.md", "a/deep/Note.md"),
        ("Note", "c/x.md", "b/Note.md"),
        ("./Note.md", "b/x.md", "b/Note.md"),
        ("../b/Note.md", "a/x.md", "b/Note.md"),
        ("../Note", "b/x.md", None),
        ("../../Note", "b/x.md", None),
        ("./deep/Note.md", "a/x.md", "a/deep/Note.md"),
        ("./Plan.md", "b/x.md", "work/Plan.md"),
        ("/b/Note", "a/x.md", "b/Note.md"),
        ("dendron.topic", "x.md", "dendron.topic.md"),
        ("dendron://some.vault/dendron.topic", "x.md", "dendron.topic.md"),
        ("page.html", "x.md", "page.html"),
        ("eep/Note", "x.md", None),
        ("Missing", "x.md", None),
        ("", "x.md", None),
    ],
)
def test_a_name_means_the_note_obsidian_would_open(
    target: str, source: str, meant: str | None
) -> None:
    vault = names(
        "work/Plan.md", "a/deep/Note.md", "b/Note.md", "dendron.topic.md", "page.html"
    )  # fmt: skip
    assert vault.find(target, source) == meant


def test_an_exact_path_wins_over_a_nearer_ending() -> None:
    assert names("b/Note.md", "a/b/Note.md").find("b/Note", "a/x.md") == "b/Note.md"


def test_accents_match_however_they_are_encoded() -> None:
    assert names("café.md").find("CAFE\u0301", "x.md") == "café.md"


def test_an_alias_names_a_note_unless_a_file_has_that_name() -> None:
    vault = Names([file("a.md", aliases=("Other", "b")), file("b.md")])
    assert vault.find("other", "x.md") == "a.md"
    assert vault.find("b", "x.md") == "b.md"


def test_a_title_names_a_note_last() -> None:
    vault = Names([file("1.md", title="The plan"), file("2.md", aliases=("The plan",))])
    assert vault.find("the plan", "x.md") == "2.md"
    assert Names([file("1.md", title="The plan")]).find("the plan", "x.md") == "1.md"


def test_links_are_told_once_and_never_to_the_note_itself() -> None:
    source = file("a.md", Mention("b"), Mention("B.md"), Mention("a"), Mention("gone"))
    vault = [source, file("b.md")]
    ids = {one.path: one.note_id for one in vault}
    assert links_of(source, Names(vault), ids, "obsidian") == (Link("id of b.md", "link"),)


def test_the_side_of_the_bar_that_resolves_decides_the_style() -> None:
    notes = [file("a.md"), file("b.md")]
    label_first = [*notes, file("c.md", Mention("see a", "a#part"), Mention("see b", "b"))]
    target_first = [*notes, file("c.md", Mention("a", "see a"), Mention("b", "see b"))]
    assert style_of(label_first, Names(label_first)) == "dendron"
    assert style_of(target_first, Names(target_first)) == "obsidian"
    assert style_of(notes, Names(notes)) == "obsidian"


def test_dendrons_label_first_links_resolve_in_its_style() -> None:
    source = file("c.md", Mention("see a", "a#part"), Mention("b"))
    vault = [source, file("a.md"), file("b.md")]
    ids = {one.path: one.note_id for one in vault}
    found = {link.target for link in links_of(source, Names(vault), ids, "dendron")}
    assert found == {"id of a.md", "id of b.md"}


def test_a_picture_is_no_missing_note() -> None:
    assert names_attachment("Some picture.PNG")
    assert not names_attachment("dendron.topic.theme.publish")


def test_ten_thousand_notes_of_one_name_are_resolved_without_a_walk() -> None:
    records = [
        file(f"{n % 100}/{n}/index.md", Mention("index"), Mention(f"{n}/index"))
        for n in range(10_000)
    ]
    started = time.process_time()
    vault = Names(records)
    ids = {record.path: record.note_id for record in records}
    for record in records:
        links_of(record, vault, ids, "obsidian")
    for n in range(10_000):
        assert vault.find("index", f"{n % 100}/none{n}/x.md")
    assert time.process_time() - started < 5


_PARTS = st.sampled_from(["a", "b", "A", "n"])
_PATHS = st.lists(_PARTS, min_size=1, max_size=4).map(lambda parts: "/".join(parts) + ".md")


@given(st.lists(_PATHS, min_size=1, unique=True), _PATHS, _PATHS)
def test_a_name_means_the_nearest_file_whose_path_ends_with_it(
    paths: list[str], target: str, source: str
) -> None:
    name = target.removesuffix(".md").casefold()
    fitting = [p for p in paths if f"/{p.removesuffix('.md').casefold()}".endswith(f"/{name}")]
    found = names(*paths).find(target, source)
    assert (found is None) == (not fitting)
    if found and "/" not in name:
        assert all(_common(found, source) >= _common(other, source) for other in fitting)


def _common(path: str, source: str) -> int:
    ours, theirs = (p.casefold().split("/")[:-1] for p in (path, source))
    return next((n for n, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1]),
                min(len(ours), len(theirs)))  # fmt: skip


@given(st.lists(_PARTS, max_size=4), st.lists(st.sampled_from(["..", ".", "a", ""]), max_size=6))
def test_a_relative_path_never_leaves_the_vault(folder: list[str], steps: list[str]) -> None:
    there = joined("/".join(folder), "/".join(steps))
    assert there is None or not {"..", "."} & set(there.split("/"))


def test_a_record_reads_back_as_it_was_written() -> None:
    record = file("a/ü.md", Mention("x", "y", "embed"), aliases=("é",), links=(Link("b", "embed"),))
    assert FileRecord.from_json(record.as_json()) == record
