"""What is known already is not stored twice, what is brought up to date steps back, nothing is lost."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recollect.encoders.hashing import Hashing
from recollect.engine.remember import overlap
from recollect.model.errors import BadInput, EncoderError, NotReady
from recollect.model.note import Link
from recollect.open import Library
from recollect.recipes.shelf import MEMORY
from recollect.stores.sqlite import sqlite_store
from tests.building import note
from tests.fakes import OneVector

PORT = "the staging database listens on port 6543 behind the bastion host"
MOVED = "the staging database listens on port 7000 behind the bastion host"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library(sqlite_store(tmp_path / "store.db"), Hashing()) as own:
        yield own


def test_a_new_memory_is_inserted_and_found_by_words_and_meaning(library: Library) -> None:
    done = library.keep(note("a", PORT))
    assert (done.outcome, done.note_id, done.other, done.embedded) == ("inserted", "a", None, True)
    assert set(library.ask("staging database", recipe=MEMORY).results[0].legs) >= {
        "words",
        "meaning",
    }


@pytest.mark.parametrize("again", [PORT, f"  {PORT.upper()}. ", PORT.replace(" ", "\u00a0")])
def test_the_same_text_is_a_duplicate_and_nothing_is_written(library: Library, again: str) -> None:
    library.keep(note("a", PORT))
    done = library.keep(note("b", again))
    assert (done.outcome, done.note_id, done.other) == ("duplicate", "a", "a")
    assert library.store.shelf.notes(["b"]) == {}


def test_a_near_duplicate_supersedes_and_the_old_one_stays_readable(library: Library) -> None:
    library.keep(note("a", PORT))
    done = library.keep(note("b", MOVED))
    assert (done.outcome, done.note_id, done.other) == ("supersedes", "b", "a")
    assert library.find("a").text == PORT
    assert library.find("b").links == (Link("a", "supersedes"),)
    first, second = library.ask("staging database port", recipe=MEMORY).results
    assert (first.note_id, second.note_id) == ("b", "a")
    assert "a newer note supersedes it" in [step.why for step in second.adjustments]


def test_the_newest_of_a_chain_is_superseded(library: Library) -> None:
    library.keep(note("a", PORT))
    library.keep(note("b", MOVED))
    done = library.keep(note("c", MOVED.replace("7000", "7100")))
    assert (done.outcome, done.other) == ("supersedes", "b")


def test_what_only_sounds_alike_is_kept_for_itself(library: Library) -> None:
    library.keep(note("a", PORT))
    assert library.keep(note("b", "the bastion host reboots on Sundays")).outcome == "inserted"
    assert library.keep(note("c", MOVED), distinct=True).outcome == "inserted"


def test_one_meaning_in_other_words_is_no_near_duplicate(tmp_path: Path) -> None:
    """A cosine alone is not enough: two facts of one sentence shape are often that near."""
    with Library(sqlite_store(tmp_path / "store.db"), OneVector()) as library:
        library.keep(note("a", "Anna likes rye bread"))
        assert library.keep(note("b", "Bernd prefers coffee black")).outcome == "inserted"


def test_a_weak_model_has_no_say(tmp_path: Path) -> None:
    with Library(sqlite_store(tmp_path / "store.db"), OneVector(weak=True)) as library:
        library.keep(note("a", "one two three four five six"))
        assert library.keep(note("b", "one two three four nine ten")).outcome == "inserted"
        assert library.keep(note("c", "one two three four five six seven")).outcome == "supersedes"


@pytest.mark.parametrize("apart", [{"project": "blue"}, {"space": "other"}])
def test_other_projects_and_spaces_are_left_alone(library: Library, apart: dict[str, Any]) -> None:
    library.keep(note("a", PORT))
    assert library.keep(note("b", PORT, **apart)).outcome == "inserted"


@pytest.mark.parametrize("error", [NotReady("loading"), EncoderError("broken")])
def test_without_its_model_a_memory_is_stored_and_waits_for_its_vector(
    tmp_path: Path, error: Exception
) -> None:
    model = OneVector(error=error)
    with Library(sqlite_store(tmp_path / "store.db"), model) as library:
        done = library.keep(note("a", PORT))
        assert (done.outcome, done.embedded) == ("inserted", False)
        assert library.keep(note("b", PORT)).outcome == "duplicate"
        assert library.waiting() == 1
        model.error = None
        assert library.embed() == 1


def test_links_are_typed_and_lead_to_notes_of_the_same_space(library: Library) -> None:
    library.keep(note("a", PORT))
    library.keep(note("b", "the incident of May", links=(Link("a", "resolved-by"),)))
    assert library.find("b").links == (Link("a", "resolved-by"),)
    with pytest.raises(BadInput, match="is not one of supersedes, part-of"):
        library.keep(note("c", "x y z", links=(Link("a", "likes"),)))
    with pytest.raises(BadInput, match="is no note of the space"):
        library.keep(note("c", "x y z", links=(Link("nobody", "see-also"),)))


def test_links_feed_the_graph_leg(library: Library) -> None:
    library.keep(note("a", "granite quarry ledger"))
    library.keep(note("b", "the incident of May", links=(Link("a", "part-of"),)))
    found = {one.note_id: one for one in library.ask("incident May", recipe=MEMORY).results}
    assert "links" in found["a"].legs


def test_nothing_cannot_be_remembered(library: Library) -> None:
    with pytest.raises(BadInput, match="nothing to remember"):
        library.keep(note("a", " \n "))


def test_overlap_counts_different_words_by_stem() -> None:
    assert overlap("baking bread", "baked breads") == 1.0
    assert overlap("a b", "b c") == pytest.approx(1 / 3)
    assert overlap("", "b") == 0.0
