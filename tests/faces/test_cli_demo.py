"""`recollect demo`: the notes that come with Recollect, and what is asked of them."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from recollect.faces.cli import main
from recollect.faces.cli.demo import NOTES, QUESTIONS
from recollect.model.note import Note
from recollect.open import Library, open_library
from recollect.retrieve.ladder import query_terms

ALL_OLD_BY = datetime(2024, 6, 1, tzinfo=UTC)
"""Notes changed before this are `older` on every day that this is read: their ages shift nothing."""


@pytest.fixture(scope="module")
def demo_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("demo") / "demo.db"
    with open_library(place, model="static") as library:
        library.index_folder(NOTES, "demo")
        library.embed()
    return place


def notes_in(library: Library) -> dict[str, Note]:
    paths = (place.relative_to(NOTES).as_posix() for place in NOTES.rglob("*.md"))
    found = [library.find(path) for path in paths]
    return {note.title: note for note in found}


def test_every_link_of_the_demo_notes_leads_to_a_note(tmp_path: Path) -> None:
    with open_library(tmp_path / "demo.db", model=None) as library:
        indexed = library.index_folder(NOTES, "demo")
    assert indexed.links > 60
    assert indexed.unresolved == 0
    assert not indexed.remarks


def test_a_link_in_a_block_of_code_is_no_link(demo_store: Path) -> None:
    with open_library(demo_store, model=None) as library:
        habits = library.find("homelab/Shell habits.md")
    assert "[[Nowhere]]" in habits.text
    assert len(habits.links) == 1


def test_no_demo_note_is_ever_fresh(demo_store: Path) -> None:
    with open_library(demo_store, model=None) as library:
        for note in notes_in(library).values():
            assert note.created_at <= note.modified_at < ALL_OLD_BY, note.path


def test_the_paraphrase_is_found_by_meaning_alone(demo_store: Path) -> None:
    with open_library(demo_store, model="static") as library:
        answer = library.ask(QUESTIONS[0])
    assert answer.results[0].title == "The second day"
    assert answer.trace.leg_counts["words"] == 0


def test_the_operators_leave_out_what_they_exclude(demo_store: Path) -> None:
    with open_library(demo_store, model="static") as library:
        titles = [result.title for result in library.ask(QUESTIONS[1]).results]
    assert set(titles[:2]) == {"Sourdough", "Feeding the starter"}
    assert "Rye tin loaf" not in titles


def test_the_misspelled_question_is_rescued_by_the_ladder(demo_store: Path) -> None:
    with open_library(demo_store, model="static") as library:
        answer = library.ask(QUESTIONS[2])
        words = " ".join(note.text.lower() for note in notes_in(library).values())
    assert not any(term in words for term in query_terms(QUESTIONS[2]))
    assert answer.results[0].title == "Upgrading Kubernetes"
    assert answer.trace.attempts[-1].strategy == "trigram_fuzzy"


def test_a_demo_shows_every_question_and_a_second_one_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["demo", "--model", "hashing", "--store", str(tmp_path / "kept.db")]
    assert main(words) == 0
    first = capsys.readouterr().out
    assert all(f"'{question}'" in first for question in QUESTIONS)
    assert "30 added" in first
    assert main(words) == 0
    assert "30 unchanged" in capsys.readouterr().out


def test_another_folder_can_be_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "a.md").write_text("a starter of mine")
    kept = str(tmp_path / "kept.db")
    assert main(["demo", "--model", "none", "--folder", str(folder), "--store", kept]) == 0
    assert "1 added" in capsys.readouterr().out
