"""Export and import: everything comes back as it was, or nothing comes in."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest

from recollect.engine.learn import document_of
from recollect.model.errors import BadInput
from recollect.model.note import Link, Passage
from recollect.stores.sqlite import SQLiteStore, sqlite_store
from recollect.stores.sqlite.doctor import examine
from recollect.stores.transfer.reading import records_of
from recollect.stores.transfer.writing import lines_of
from tests.building import EVERYTHING, NOW, coverage, note, put

OWN_SETTING = '{"setting": {"owner": "~qdrant", "name": "store", "value": "another\'s"}}'


def export_lines(opened: SQLiteStore, *, vectors: bool = True) -> Iterator[str]:
    return lines_of(opened.store.archive.records(vectors=vectors))


def import_lines(opened: SQLiteStore, lines: Iterable[str]) -> None:
    opened.store.archive.take(records_of(lines))


@pytest.fixture
def full(tmp_path: Path) -> Iterator[SQLiteStore]:
    """One of everything."""
    with sqlite_store(tmp_path / "full.db") as opened:
        store = opened.store
        passages = (
            Passage(
                "rich#0", "rich", "one 猫\nline", heading=("A", "B"), first_line=1, last_line=2
            ),
            Passage("rich#1", "rich", 'two "quoted"', heading=("A",), first_line=3, last_line=9),
        )
        rich = note(
            "rich",
            "whole \u2028 text\x00 with odd characters",
            title="Títle",
            summary="S",
            importance=0.9,
            session="s1",
            project="p1",
            tags=("b", "a"),
            links=(Link("plain", "supersedes"), Link("nowhere")),
        )
        store.writer.put([document_of(rich, passages)])
        put(store, note("plain", "I bought a bike"), note("away", "x", space="elsewhere"))
        store.usage.used(["rich"], NOW)
        store.usage.shown(["rich", "plain"], NOW)
        store.writer.set_aliases("home", {"k8s": ("kubernetes", "kube"), "ml": ()})
        store.sessions.open_session("home", "s1", "p")
        store.sessions.open_session("home", "s2")
        store.settings.change_settings("global", {"k": 60, "deep": {"a": [1, None]}})
        store.files.remember_files("home", {"rich.md": '{"digest": "x"}'})
        assert store.vector_writer
        rng = np.random.default_rng(0)
        vectors = {"rich#1": rng.normal(size=8).astype(np.float32)}
        store.vector_writer.put_vectors("m", vectors)
        yield opened


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[SQLiteStore]:
    with sqlite_store(tmp_path / "empty.db") as opened:
        yield opened


def test_a_round_trip_loses_nothing(full: SQLiteStore, empty: SQLiteStore) -> None:
    lines = list(export_lines(full))
    assert sum('"note"' in line for line in lines) == 3
    import_lines(empty, lines)
    assert list(export_lines(empty)) == lines
    names = ["rich", "plain", "away"]
    assert empty.store.shelf.notes(names) == full.store.shelf.notes(names)
    assert empty.store.shelf.facts(names) == full.store.shelf.facts(names)
    assert coverage(empty.store, "m") == (1, 4)
    assert not [each for each in examine(empty, thorough=True) if each.level == "error"]


def test_vectors_may_be_left_out(full: SQLiteStore, empty: SQLiteStore) -> None:
    lines = list(export_lines(full, vectors=False))
    assert not any("float32" in line for line in lines)
    import_lines(empty, lines)
    assert coverage(empty.store, "m") == (0, 4)


def test_importing_twice_changes_nothing(full: SQLiteStore, empty: SQLiteStore) -> None:
    lines = list(export_lines(full))
    import_lines(empty, lines)
    import_lines(empty, lines)
    assert list(export_lines(empty)) == lines


def test_what_is_there_already_stays_unless_it_is_replaced(
    full: SQLiteStore, empty: SQLiteStore
) -> None:
    put(empty.store, note("own"), note("plain", "before"))
    import_lines(empty, export_lines(full))
    assert empty.store.listing.ids_in(EVERYTHING) == ["own", "plain", "rich"]
    assert empty.store.shelf.notes(["plain"])["plain"].text == "I bought a bike"


@pytest.mark.parametrize(
    ("spoilt", "complaint"),
    [
        (lambda lines: [*lines[:2], "{half", *lines[2:]], "line 3"),
        (lambda lines: [*lines[:2], '["list"]', *lines[2:]], "line 3"),
        (lambda lines: [*lines[:2], '{"what": 1}', *lines[2:]], "line 3"),
        (lambda lines: [*lines[:2], '{"note": {}}', *lines[2:]], "line 3.*missing"),
        (lambda lines: [*lines[:2], '{"vector": {"model": "m"}}', *lines[2:]], "line 3"),
        (lambda lines: [*lines[:2], OWN_SETTING, *lines[2:]], "line 3.*a store's own"),
        (lambda lines: lines[1:], "line 1.*header"),
        (lambda lines: lines[:-1], "cut off"),
        (lambda lines: [*lines[:-3], lines[-1]], "counts other records"),
        (lambda lines: [*lines, lines[1]], "after the last line"),
        (lambda lines: ['{"format": "recollect export", "version": 99}', *lines[1:]], "version 1"),
        (lambda _: [], "line 1"),
    ],
)
def test_a_line_that_cannot_be_read_is_named_and_nothing_is_changed(
    full: SQLiteStore, empty: SQLiteStore, spoilt: object, complaint: str
) -> None:
    assert callable(spoilt)
    put(empty.store, note("own"))
    before = list(export_lines(empty))
    with pytest.raises(BadInput, match=complaint):
        import_lines(empty, spoilt(list(export_lines(full))))
    assert list(export_lines(empty)) == before


@pytest.mark.parametrize("field", ["importance", "created_at", "id", "text", "tags", "links"])
def test_a_note_with_a_field_of_the_wrong_kind_is_refused(
    full: SQLiteStore, empty: SQLiteStore, field: str
) -> None:
    lines = list(export_lines(full))
    record = json.loads(lines[1])
    record["note"][field] = 17
    with pytest.raises(BadInput, match="line 2"):
        import_lines(empty, [lines[0], json.dumps(record), *lines[2:]])
    assert empty.store.listing.ids_in(EVERYTHING) == []
