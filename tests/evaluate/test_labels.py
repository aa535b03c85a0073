"""Labels out of a vault's own notes, and that nothing of them is left to be found by."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect.evaluate.collections import Collection
from recollect.evaluate.indexing import indexed
from recollect.evaluate.labels import labelled
from recollect.model.errors import BadInput
from recollect.open import Library, open_library
from recollect.retrieve.aliases import names_in

NOTES = {
    "winter-den.md": "# Winter den\n\nFoxes sleep below the roots.\n\nSee [[hen-house|where the hens live]].\n",
    "hen-house.md": "---\naliases: [poultry palace]\n---\n# Hen house\n\nStraw, grain and warmth for all.\n",
    "bees.md": "# Bees\n\n## Making of honey\n\nNectar is dried with many small wings.\n",
    "owls.md": "# Owls\n\nThey fly at night. How do owls hear mice? By ears that sit askew.\n",
    "also.md": "# Also\n\nOnce more [[hen-house|where the hens live]] and [[bees|Bees]].\n",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    vault = tmp_path_factory.mktemp("vault")
    for name, text in NOTES.items():
        (vault / name).write_text(text, encoding="utf-8")
    with open_library(tmp_path_factory.mktemp("store") / "own.db", model=None) as opened:
        opened.index_folder(vault, "home")
        yield opened


@pytest.fixture(scope="module")
def collection(library: Library) -> Collection:
    return labelled("home", library)


def asked(collection: Collection) -> set[tuple[str, str]]:
    return {(one.stratum, one.text) for one in collection.questions}


def test_links_aliases_headings_names_and_questions_are_labels(collection: Collection) -> None:
    assert {
        ("anchor", "where the hens live"),
        ("alias", "poultry palace"),
        ("heading", "Making of honey"),
        ("question", "How do owls hear mice?"),
        ("name", "Winter den"),
    } <= asked(collection)


def test_a_link_that_says_a_notes_own_name_is_no_label(collection: Collection) -> None:
    assert "Bees" not in {one.text for one in collection.questions}


def test_what_a_label_says_is_not_in_the_note_it_means(collection: Collection) -> None:
    notes = {note.id: note for note in collection.notes}
    for question in collection.questions:
        if question.stratum == "anchor":
            continue
        for note_id in collection.judgments[question.id]:
            note = notes[note_id]
            said = " ".join((note.title, note.path, note.summary, note.text))
            assert question.text.casefold() not in said.casefold()
            cut = " ".join(passage.text for passage in collection.passages[note_id])
            assert question.text.casefold() not in cut.casefold()


def test_the_notes_that_hold_a_links_text_cannot_answer_it(
    collection: Collection, tmp_path: Path
) -> None:
    question = next(one for one in collection.questions if one.stratum == "anchor")
    assert len(question.hidden) == 2
    with indexed(collection, None, cache=tmp_path) as opened:
        answer = opened.ask(question.text, scope=question.scope())
    assert not question.hidden & {one.note_id for one in answer.results}


def test_an_alias_does_not_lead_to_its_title_while_it_is_a_label(
    collection: Collection, tmp_path: Path
) -> None:
    with indexed(collection, None, cache=tmp_path) as opened:
        names = [name for one in collection.questions for name in names_in(one.text)]
        assert names
        assert not opened.store.shelf.aliases(["home"], names)


def test_labels_are_the_same_every_time(collection: Collection, library: Library) -> None:
    assert labelled("home", library) == collection


def test_the_store_itself_is_left_as_it_was(library: Library, collection: Collection) -> None:
    texts = {note.text for note in library.matching("honey OR hens OR mice", library.everything())}
    assert any("Making of honey" in text for text in texts)
    assert any("How do owls hear mice?" in text for text in texts)


def test_a_space_without_notes_gives_no_labels(library: Library) -> None:
    with pytest.raises(BadInput, match="holds no notes"):
        labelled("nowhere", library)
