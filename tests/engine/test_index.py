"""A folder's way in, with readings made by hand: what is written, remembered and removed, and when."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from recollect.engine.index import BATCH, Changes, known_files, write_changes
from recollect.ingest.record import FileRecord
from recollect.model.note import Note, Passage
from recollect.ports import Store
from recollect.stores.sqlite import sqlite_store
from tests.building import days_ago, note

SPACE = "home"


@dataclass(frozen=True)
class Read:
    note: Note
    record: FileRecord
    passages: tuple[Passage, ...] = ()


class Stop(Exception):
    """The power goes."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with sqlite_store(tmp_path / "store.db") as opened:
        yield opened.store


def record(name: str, *aliases: str, title: str = "") -> FileRecord:
    return FileRecord(f"{name}.md", name, 1, 1, "digest", "edition", days_ago(1), title, aliases)


def reading(path: str) -> Read | None:
    name = path.removesuffix(".md")
    return None if name.startswith("gone") else Read(note(name), record(name))


def changes(
    pending: Iterable[str] = (),
    removed: Iterable[str] = (),
    refreshed: Iterable[FileRecord] = (),
    records: Iterable[FileRecord] = (),
) -> Changes:
    gone = list(removed)
    return Changes(
        space=SPACE,
        pending=[f"{name}.md" for name in pending],
        read=reading,
        removed_ids=gone,
        forgotten=[f"{name}.md" for name in gone],
        refreshed=list(refreshed),
        records={one.path: one for one in records},
    )


def test_what_is_read_is_written_and_remembered(store: Store) -> None:
    assert write_changes(changes(["a", "b"]), store) == 2
    assert set(store.shelf.notes(["a", "b"])) == {"a", "b"}
    assert known_files(SPACE, store) == {"a.md": record("a"), "b.md": record("b")}


def test_a_file_that_vanished_is_neither_written_nor_remembered(store: Store) -> None:
    assert write_changes(changes(["a", "gone"]), store) == 1
    assert set(known_files(SPACE, store)) == {"a.md"}


def test_what_was_removed_is_gone_and_no_longer_remembered(store: Store) -> None:
    write_changes(changes(["a", "b"]), store)
    assert write_changes(changes(removed=["a"]), store) == 0
    assert set(store.shelf.notes(["a", "b"])) == {"b"}
    assert set(known_files(SPACE, store)) == {"b.md"}


def test_a_file_that_was_only_touched_is_remembered_anew_and_not_written(store: Store) -> None:
    write_changes(changes(["a"]), store)
    touched = record("a", title="touched")
    assert write_changes(changes(refreshed=[touched]), store) == 0
    assert known_files(SPACE, store) == {"a.md": touched}


def test_progress_counts_every_file_also_one_that_vanished(store: Store) -> None:
    steps: list[int] = []
    names = [f"n{number}" for number in range(BATCH)]
    write_changes(changes([*names, "gone"]), store, steps.append)
    assert steps == [BATCH, 1]


def test_an_interruption_keeps_every_batch_before_it(store: Store) -> None:
    names = [f"n{number}" for number in range(2 * BATCH)]

    def stop(_: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        write_changes(changes(names), store, stop)
    known = known_files(SPACE, store)
    assert set(known) == {f"{name}.md" for name in names[:BATCH]}
    assert set(store.shelf.notes(names)) == set(names[:BATCH])


def test_other_names_lead_to_titles_and_go_with_their_notes(store: Store) -> None:
    records = [record("a", "x", "A", title="A"), record("b", "x", title="B"), record("c", "y")]
    write_changes(changes(["a", "b", "c"], records=records), store)
    assert store.shelf.aliases([SPACE], ["x"]) == {"x": ("A", "B")}
    write_changes(changes(removed=["a"], records=records[1:]), store)
    assert store.shelf.aliases([SPACE], ["x"]) == {"x": ("B",)}


def test_a_visit_that_changes_nothing_leaves_other_names_alone(store: Store) -> None:
    store.writer.set_aliases(SPACE, {"x": ("A",)})
    write_changes(changes(), store)
    assert store.shelf.aliases([SPACE], ["x"]) == {"x": ("A",)}
