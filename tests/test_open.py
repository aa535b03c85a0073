"""A place in, a library out: which file it is, which model answers, what is kept of a folder."""

from pathlib import Path

import pytest

from recollect.encoders.hashing import Hashing
from recollect.model.errors import BadInput, NotFound, StoreError
from recollect.model.query import Scope
from recollect.open import Library, open_library
from recollect.stores.sqlite import sqlite_store
from tests.building import note

STATIC = "wordllama-l2-supercat-256"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RECOLLECT_CACHE", str(tmp_path / "cache"))  # no minilm: auto is static
    return tmp_path / "store.db"


def write(root: Path, **texts: str) -> Path:
    root.mkdir(exist_ok=True)
    for name, text in texts.items():
        (root / f"{name}.md").write_text(text, encoding="utf-8")
    return root


def test_a_store_that_is_not_there_is_made_only_on_request(place: Path) -> None:
    with pytest.raises(StoreError, match="recollect index FOLDER"):
        open_library(place, model=None, create=False)
    open_library(place, model=None).close()
    open_library(place, model=None, create=False).close()


@pytest.mark.parametrize("wrong", [{"model": "gpt"}, {"model": None, "judge": "gpt"}])
def test_a_wrong_name_leaves_no_store_behind(place: Path, wrong: dict[str, str | None]) -> None:
    with pytest.raises(NotFound, match="gpt"):
        open_library(place, **wrong)  # type: ignore[arg-type]
    assert not place.exists()


def test_the_model_whose_vectors_are_there_answers_until_its_successor_covers_more(
    place: Path,
) -> None:
    with open_library(place, model="hashing") as library:
        library.learn([note("a", "a heron"), note("b", "a fox")])
        library.embed()
    with open_library(place) as library:
        assert library.embedder is not None
        assert library.embedder.identity == Hashing().identity
        assert library.waiting() == 2
        assert library.ask("heron").degraded == ()
        assert library.embed() == 2
        assert library.embedder.identity == STATIC
    with open_library(place) as library:
        assert library.embedder is not None
        assert library.embedder.identity == STATIC
        assert library.waiting() == 0


def test_a_model_asked_for_by_name_answers_at_once_and_says_what_it_lacks(place: Path) -> None:
    with open_library(place, model="hashing") as library:
        library.learn([note("a", "a heron")])
        library.embed()
    with open_library(place, model="static") as library:
        assert [one.code for one in library.ask("heron").degraded] == ["partial"]


def test_vectors_of_a_model_that_is_nowhere_to_be_had_do_not_serve(place: Path) -> None:
    with Library(sqlite_store(place), Hashing(dimensions=64)) as library:
        library.learn([note("a", "a heron")])
        library.embed()
    with open_library(place) as library:
        assert library.embedder is not None
        assert library.embedder.identity == STATIC


def test_a_memory_is_found_by_words_and_meaning_at_once(place: Path) -> None:
    with open_library(place, model="hashing") as library:
        library.remember(note("a", "a heron stands", space="memory"))
        [found] = library.ask("heron").results
        assert set(found.legs) >= {"words", "meaning"}
        assert library.waiting() == 0


def test_a_note_is_found_by_id_by_path_and_by_the_end_of_a_path(place: Path) -> None:
    with open_library(place, model=None) as library:
        library.learn([note("a", path="x/one.md"), note("b", path="y/one.md"), note("c")])
        assert library.find("a").id == library.find("x/one.md").id == "a"
        assert library.find("c.md").id == "c"
        with pytest.raises(BadInput, match="2 notes"):
            library.find("one.md")
        with pytest.raises(NotFound, match=r"ne\.md"):
            library.find("ne.md")
        with pytest.raises(NotFound):
            library.find("a", space="elsewhere")


def test_a_forgotten_file_is_new_to_the_next_visit(place: Path, tmp_path: Path) -> None:
    root = write(tmp_path / "notes", a="a heron", b="a fox")
    with open_library(place, model=None) as library:
        library.index_folder(root, "home")
        assert library.forget([library.find("a.md")]) == 1
        again = library.index_folder(root, "home").difference
        assert (len(again.added), len(again.unchanged)) == (1, 1)
        assert [one.path for one in library.matching("heron", Scope.of("home"))] == ["a.md"]


def test_an_emptied_folder_is_refused_and_nothing_goes(place: Path, tmp_path: Path) -> None:
    root = write(tmp_path / "notes", a="a heron")
    with open_library(place, model=None) as library:
        library.index_folder(root, "home")
        (root / "a.md").unlink()
        with pytest.raises(BadInput, match="forget --everything --space home"):
            library.index_folder(root, "home")
        assert library.find("a.md").text == "a heron"


def test_links_that_lead_nowhere_are_counted_pictures_and_code_are_not(
    place: Path, tmp_path: Path
) -> None:
    text = "[[b]] [[nowhere]] ![[photo.png]] `[[code]]` [[nowhere]]"
    root = write(tmp_path / "notes", a=text, b="b")
    with open_library(place, model=None) as library:
        indexed = library.index_folder(root, "home")
    assert (indexed.links, indexed.unresolved) == (1, 1)


def test_other_names_of_a_note_find_it(place: Path, tmp_path: Path) -> None:
    root = write(tmp_path / "notes", a="---\ntitle: Heron\naliases: [ardea]\n---\nstands\n", b="b")
    with open_library(place, model=None) as library:
        library.index_folder(root, "home")
        assert library.store.shelf.aliases(["home"], ["ardea"]) == {"ardea": ("Heron",)}
        assert library.ask("ardea").results[0].path == "a.md"
