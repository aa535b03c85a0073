"""What happened to a folder between two looks."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.ingest.diff import Difference, difference
from recollect.ingest.identity import new_note_id

_FOLDERS = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from("123"))


def test_each_thing_that_can_happen_is_told_apart() -> None:
    known = {"same": "1", "edited": "2", "gone": "3", "before": "4"}
    seen = {"same": "1", "edited": "2'", "new": "5", "after": "4"}
    assert difference(known, seen) == Difference(
        added=("new",),
        changed=("edited",),
        removed=("gone",),
        renamed=(("before", "after"),),
        unchanged=("same",),
    )


def test_with_two_files_of_one_content_nobody_can_say_which_moved() -> None:
    assert difference({"a": "1", "b": "1"}, {"c": "1"}).renamed == ()
    assert difference({"a": "1"}, {"b": "1", "c": "1"}).renamed == ()


@given(_FOLDERS, _FOLDERS)
def test_every_path_has_exactly_one_fate(known: dict[str, str], seen: dict[str, str]) -> None:
    told = difference(known, seen)
    before, after = [*zip(*told.renamed, strict=True)] or [(), ()]
    assert sorted((*told.changed, *told.unchanged, *told.removed, *before)) == sorted(known)
    assert sorted((*told.changed, *told.unchanged, *told.added, *after)) == sorted(seen)


@given(_FOLDERS)
def test_nothing_happened_where_nothing_changed(folder: dict[str, str]) -> None:
    assert difference(folder, folder) == Difference(unchanged=tuple(sorted(folder)))


def test_an_id_is_made_of_space_and_path_and_gives_way_where_taken() -> None:
    first = new_note_id("s", "a.md", ())
    assert first == new_note_id("s", "a.md", ())
    assert first not in (new_note_id("t", "a.md", ()), new_note_id("s", "b.md", ()))
    assert new_note_id("s", "a.md", {first}) != first
