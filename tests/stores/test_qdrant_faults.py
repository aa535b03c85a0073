"""Qdrant away, slow, broken or wrong: notes are safe, words are found, and nothing wrong is returned."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from recollect.encoders.hashing import Hashing
from recollect.engine.learn import document_of, embed_passages
from recollect.model.errors import RecollectError, VectorsAway
from recollect.model.inventory import Finding
from recollect.model.query import Scope
from recollect.open import Library
from recollect.ports import Store
from recollect.stores.qdrant import QdrantPlace, with_qdrant
from recollect.stores.qdrant.behind import GRACE_SECONDS, OWNER
from recollect.stores.qdrant_address import QdrantAddress
from recollect.stores.sqlite import sqlite_store
from tests.building import EVERYTHING, embed_all, hit_ids, note, put
from tests.stores.qdrant_server import Mood, QdrantServer, serving

MODEL = Hashing()
KEY = "s3cret-key"
AWAY: tuple[Mood, ...] = (
    "failing",
    "breaking off",
    "talking nonsense",
    "answering empty",
)


@pytest.fixture
def server() -> Iterator[QdrantServer]:
    with serving() as server:
        yield server


@pytest.fixture
def place(tmp_path: Path, server: QdrantServer) -> Iterator[QdrantPlace]:
    with opened(tmp_path / "store.db", server.url) as place:
        yield place


def opened(path: Path, url: str, **rest: object) -> QdrantPlace:
    address = QdrantAddress(url, timeout=1, **rest)  # type: ignore[arg-type]
    return with_qdrant(sqlite_store(path), address, rest_seconds=0)


def near(store: Store, text: str, scope: Scope = EVERYTHING, depth: int = 10) -> list[str]:
    assert store.vectors
    return hit_ids(store.vectors.nearest(MODEL.identity, MODEL.embed([text])[0], scope, depth))


def collection_of(server: QdrantServer) -> str:
    (name,) = server.engine.names()
    return name


def wrong(findings: object) -> list[str]:
    assert isinstance(findings, list)
    return [one.what for one in findings if isinstance(one, Finding) and one.level != "ok"]


@pytest.mark.parametrize("mood", AWAY)
def test_search_degrades_to_words_and_says_so(
    place: QdrantPlace, server: QdrantServer, mood: Mood
) -> None:
    put(place.store, note("fox", "the quick fox"), note("dog", "a lazy dog"))
    embed_all(place.store)
    library = Library(place, MODEL)
    server.mood = mood
    answer = library.ask("quick fox", scope=EVERYTHING)
    assert [one.note_id for one in answer.results] == ["fox"]
    assert [(one.part, one.code) for one in answer.degraded] == [("meaning", "failed")]
    assert server.url in answer.degraded[0].why
    server.mood = "well"
    assert not library.ask("quick fox", scope=EVERYTHING).degraded


@pytest.mark.parametrize("mood", AWAY)
def test_a_write_is_acknowledged_and_waits_to_be_embedded(
    place: QdrantPlace, server: QdrantServer, mood: Mood
) -> None:
    server.mood = mood
    library = Library(place, MODEL)
    library.remember(note("fox", "the quick fox"))
    kept = library.keep(note("dog", "a lazy dog"))
    assert (kept.outcome, kept.embedded) == ("inserted", False)
    assert set(place.store.shelf.notes(["fox", "dog"])) == {"fox", "dog"}
    assert library.waiting() == 2
    with pytest.raises(VectorsAway):
        library.embed()
    server.mood = "well"
    assert library.embed() == 2
    assert near(place.store, "quick fox", depth=1) == ["fox"]


def test_a_server_that_cannot_be_reached_at_all(tmp_path: Path) -> None:
    with socket.socket() as taken:  # bound and not listening: refused at once
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with opened(tmp_path / "store.db", url) as place, Library(place, MODEL) as library:
            library.remember(note("fox", "the quick fox"))
            answer = library.ask("fox", scope=EVERYTHING)
            assert [one.note_id for one in answer.results] == ["fox"]
            assert [one.part for one in answer.degraded] == ["meaning"]
            [error] = [one for one in place.upkeep.examine() if one.level == "error"]
            assert url in error.what


def test_a_server_that_hangs_is_waited_for_once_and_briefly(
    tmp_path: Path, server: QdrantServer
) -> None:
    address = QdrantAddress(server.url, timeout=1)
    with with_qdrant(sqlite_store(tmp_path / "s.db"), address, rest_seconds=30) as place:
        put(place.store, note("fox", "the quick fox"))
        embed_all(place.store)
        server.mood = "hanging"
        began = time.monotonic()
        for _ in range(20):
            with pytest.raises(VectorsAway):
                near(place.store, "fox")
            put(place.store, note("fox", "the quick fox", tags=("t",)))
        assert time.monotonic() - began < 5
        assert set(place.store.shelf.notes(["fox"])) == {"fox"}


def test_a_wrong_key_is_named_as_such_and_never_shown(tmp_path: Path) -> None:
    with serving(KEY) as server:
        with opened(tmp_path / "a.db", server.url, api_key=KEY) as place:
            put(place.store, note("fox", "the quick fox"))
            embed_all(place.store)
            assert near(place.store, "fox") == ["fox"]
            assert any("unencrypted" in one for one in wrong(place.upkeep.examine()))
        with opened(tmp_path / "a.db", server.url, api_key="wr0ng") as place:
            with pytest.raises(VectorsAway, match="refuses the API key") as raised:
                near(place.store, "fox")
            told = f"{raised.value} {place.address} {place.upkeep.examine()}"
            assert "wr0ng" not in told
            assert KEY not in told


@pytest.mark.parametrize("mood", ["failing", "breaking off"])
def test_what_changed_while_it_was_away_holds_for_the_very_next_search(
    place: QdrantPlace, server: QdrantServer, mood: Mood
) -> None:
    """Nothing has been brought up to date yet: the store says what is to be seen."""
    store = place.store
    put(store, *(note(f"n{at}", "alpha", tags=("old",)) for at in range(30)))
    embed_all(store)
    server.mood = mood
    put(store, note("n1", "alpha", tags=("new",)), note("n2", "alpha", space="elsewhere"))
    put(store, note("n3", "omega", tags=("old",)))
    assert store.writer.remove(["n4"]) == 1
    server.mood = "well"
    assert near(store, "alpha", Scope.of("home", tags=["new"])) == ["n1"]
    assert near(store, "alpha", Scope.of("elsewhere")) == ["n2"]
    rest = {f"n{at}" for at in range(30)} - {"n1", "n2", "n3", "n4"}
    assert set(near(store, "alpha", Scope.of("home", tags=["old"]), 99)) == rest
    assert server.engine.count(collection_of(server))["count"] == 30


def test_what_was_left_to_do_is_done_later(
    place: QdrantPlace, server: QdrantServer, tmp_path: Path
) -> None:
    store = place.store
    put(store, note("a", "alpha"), note("b", "alpha"))
    embed_all(store)
    server.mood = "failing"
    store.writer.remove(["a"])
    put(store, note("b", "alpha", tags=("t",)))
    server.mood = "well"
    entries = store.settings.settings(OWNER)
    assert sorted(one for entry in entries.values() for one in entry["notes"]) == ["a", "b"]
    aged = {name: {**one, "at": one["at"] - GRACE_SECONDS} for name, one in entries.items()}
    store.settings.change_settings(OWNER, aged)
    assert store.vector_writer
    assert list(store.vector_writer.without_vector(MODEL.identity, 10)) == []
    assert store.settings.settings(OWNER) == {}
    [point] = server.engine.scroll(collection_of(server), {"limit": 9})["points"]
    assert (point["payload"]["note"], point["payload"]["tags"]) == ("b", ["t"])


def test_a_note_that_moves_while_its_points_are_on_their_way_is_followed(
    place: QdrantPlace, server: QdrantServer, tmp_path: Path
) -> None:
    put(place.store, note("a", "alpha"))

    def move() -> None:
        server.before_upsert = lambda: None
        with sqlite_store(tmp_path / "store.db") as other:
            put(other.store, note("a", "alpha", space="elsewhere"))

    server.before_upsert = move
    embed_all(place.store)
    assert near(place.store, "alpha", Scope.of("elsewhere")) == ["a"]
    assert near(place.store, "alpha") == []


def test_a_vector_of_an_older_text_never_stands_for_the_new_one(place: QdrantPlace) -> None:
    store = place.store
    put(store, note("a", "alpha"))
    assert store.vector_writer
    handed_out = store.vector_writer.without_vector(MODEL.identity, 10)
    put(store, note("a", "omega"))
    embed_passages(handed_out, store.vector_writer, MODEL)
    assert store.vectors
    assert store.vectors.missing(MODEL.identity) == 1
    assert near(store, "alpha") == []
    embed_all(store)
    [hit] = store.vectors.nearest(MODEL.identity, MODEL.embed(["omega"])[0], EVERYTHING, 5)
    assert hit.score == pytest.approx(1.0, abs=1e-3)


# the client leaves the file open that it could not lock
@pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)
def test_a_folder_that_another_process_has_open_is_away(tmp_path: Path) -> None:
    folder = str(tmp_path / "qdrant")
    with opened(tmp_path / "a.db", folder) as one, opened(tmp_path / "b.db", folder) as other:
        put(one.store, note("a", "alpha"))
        embed_all(one.store)
        library = Library(other, MODEL)
        library.remember(note("b", "alpha"))
        answer = library.ask("alpha", scope=EVERYTHING)
        assert [one.note_id for one in answer.results] == ["b"]
        with pytest.raises(VectorsAway, match="cannot be opened"):
            library.embed()


def test_two_stores_on_one_qdrant_never_mix(tmp_path: Path, server: QdrantServer) -> None:
    with (
        opened(tmp_path / "a.db", server.url) as one,
        opened(tmp_path / "b.db", server.url) as other,
    ):
        put(one.store, note("a", "alpha"))
        put(other.store, note("b", "alpha"))
        embed_all(one.store)
        embed_all(other.store)
        assert near(one.store, "alpha") == ["a"]
        assert near(other.store, "alpha") == ["b"]
        assert len(server.engine.names()) == 2
        assert wrong(one.upkeep.examine(thorough=True)) == []


def test_a_backup_is_a_store_of_its_own_in_qdrant_too(
    place: QdrantPlace, server: QdrantServer, tmp_path: Path
) -> None:
    put(place.store, note("a", "alpha"))
    embed_all(place.store)
    place.upkeep.backup(str(tmp_path / "copy.db"))
    with opened(tmp_path / "copy.db", server.url) as copy:
        assert copy.store.vectors
        assert copy.store.vectors.missing(MODEL.identity) == 1
        assert not [one for one in copy.upkeep.examine(thorough=True) if one.level == "error"]
        embed_all(copy.store)
        copy.store.writer.remove(["a"])
    assert near(place.store, "alpha") == ["a"]


class TestDoctor:
    @pytest.fixture
    def filled(self, place: QdrantPlace) -> QdrantPlace:
        put(place.store, *(note(f"n{at}", f"alpha {at}") for at in range(30)))
        embed_all(place.store)
        return place

    def mended(self, place: QdrantPlace) -> list[str]:
        """What is still wrong after a repair and an embedding."""
        place.upkeep.repair()
        embed_all(place.store)
        return wrong(place.upkeep.examine(thorough=True))

    def test_a_sound_store_is_called_sound(self, filled: QdrantPlace) -> None:
        assert wrong(filled.upkeep.examine(thorough=True)) == []
        assert any("30 vectors" in one.what for one in filled.upkeep.examine())

    def test_vectors_that_are_missing(self, filled: QdrantPlace, server: QdrantServer) -> None:
        name = collection_of(server)
        gone = [one["id"] for one in server.engine.scroll(name, {"limit": 5})["points"]]
        server.engine.change(name, [{"delete": {"points": gone}}])
        for thorough in (False, True):
            found = wrong(filled.upkeep.examine(thorough=thorough))
            assert any("lacks 5 vectors" in one for one in found)
        assert self.mended(filled) == []
        assert len(near(filled.store, "alpha", depth=99)) == 30

    def test_vectors_that_are_orphaned(
        self, filled: QdrantPlace, server: QdrantServer, tmp_path: Path
    ) -> None:
        with sqlite_store(tmp_path / "store.db") as aside:  # by somebody who knows of no Qdrant
            aside.store.writer.remove(["n1", "n2"])
        found = wrong(filled.upkeep.examine(thorough=True))
        assert any("2 points" in one and "no passage" in one for one in found)
        assert not {"n1", "n2"} & set(near(filled.store, "alpha", depth=99))
        assert self.mended(filled) == []
        assert server.engine.count(collection_of(server))["count"] == 28

    def test_points_that_say_a_wrong_scope(
        self, filled: QdrantPlace, server: QdrantServer, tmp_path: Path
    ) -> None:
        with sqlite_store(tmp_path / "store.db") as aside:
            put(aside.store, note("n1", "alpha 1", tags=("x",)))
        assert any("wrong scope" in one for one in wrong(filled.upkeep.examine(thorough=True)))
        assert self.mended(filled) == []
        assert near(filled.store, "alpha", Scope.of("home", tags=["x"])) == ["n1"]

    def test_a_collection_that_was_lost(self, filled: QdrantPlace, server: QdrantServer) -> None:
        server.engine.drop(collection_of(server))
        with pytest.raises(VectorsAway, match="doctor --repair"):
            near(filled.store, "alpha")
        assert any("lost all 30" in one for one in wrong(filled.upkeep.examine()))
        assert self.mended(filled) == []
        assert len(near(filled.store, "alpha", depth=99)) == 30

    def test_a_repair_that_was_cut_short_is_mended_by_the_next(
        self, filled: QdrantPlace, server: QdrantServer, tmp_path: Path
    ) -> None:
        """The books were cleared, and nothing entered again: the vectors are not thrown away."""
        with sqlite_store(tmp_path / "store.db") as aside:
            assert aside.store.vector_writer
            [books] = [one.identity for one in aside.store.catalogue.models()]
            assert aside.store.vector_writer.drop_model(books) == 30
        filled.upkeep.repair()
        assert filled.store.vectors
        assert filled.store.vectors.missing(MODEL.identity) == 0
        assert len(near(filled.store, "alpha", depth=99)) == 30

    def test_collections_of_an_old_model(self, filled: QdrantPlace, server: QdrantServer) -> None:
        old = collection_of(server).rpartition("_")[0] + "_0ld"
        server.engine.create(old, {"vectors": {"size": 4, "distance": "Cosine"}})
        assert any("old models" in one for one in wrong(filled.upkeep.examine()))
        assert self.mended(filled) == []
        assert old not in server.engine.names()

    def test_vectors_from_before_qdrant_are_copied_and_not_embedded_again(
        self, server: QdrantServer, tmp_path: Path
    ) -> None:
        with sqlite_store(tmp_path / "old.db") as before:
            put(before.store, *(note(f"n{at}", f"alpha {at}") for at in range(5)))
            embed_all(before.store)
        with opened(tmp_path / "old.db", server.url) as place:
            assert place.store.vectors
            assert place.store.vectors.missing(MODEL.identity) == 5
            assert any("in the store itself" in one for one in wrong(place.upkeep.examine()))
            place.upkeep.repair()
            assert place.store.vectors.missing(MODEL.identity) == 0
            assert near(place.store, "alpha 3", depth=1) == ["n3"]

    def test_it_says_what_it_cannot_reach(self, filled: QdrantPlace, server: QdrantServer) -> None:
        server.mood = "failing"
        assert any("500" in one for one in wrong(filled.upkeep.examine()))
        with pytest.raises(RecollectError):
            filled.upkeep.repair()


def test_exact_search_gives_the_list_that_sqlite_gives(place: QdrantPlace, tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    vectors = rng.normal(size=(400, 32)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    notes = [note(f"n{at:03}", f"text {at}", tags=(f"t{at % 5}",)) for at in range(400)]
    with sqlite_store(tmp_path / "plain.db") as plain:
        for store in (plain.store, place.store):
            store.writer.put([document_of(one) for one in notes])
            assert store.vector_writer
            store.vector_writer.put_vectors(
                "m", {f"{one.id}#0": row for one, row in zip(notes, vectors, strict=True)}
            )
        assert plain.store.vectors
        assert place.store.vectors
        for at in range(60):
            query = rng.normal(size=32).astype(np.float32)
            scope = Scope.of("home", tags=[f"t{at % 5}"]) if at % 2 else EVERYTHING
            one = plain.store.vectors.nearest("m", query, scope, 20)
            other = place.store.vectors.nearest("m", query, scope, 20)
            assert hit_ids(one) == hit_ids(other)
