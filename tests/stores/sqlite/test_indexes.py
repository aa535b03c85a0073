"""The indexes beside the file are derived: whatever happens to them costs time and nothing else."""

import multiprocessing
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from tests.building import EVERYTHING, days_ago, hit_ids, note, put
from tests.stores.contract import fill_with

from recollect.engine.learn import learn
from recollect.model.query import Scope
from recollect.model.tree import Word
from recollect.stores.sqlite import SQLiteStore, sqlite_store
from recollect.stores.sqlite.backup import backup
from recollect.stores.sqlite.clock import read_clock
from recollect.stores.sqlite.doctor import examine
from recollect.stores.sqlite.fresh import PUBLISHED_AFTER
from recollect.stores.sqlite.repair import repair

MANY = PUBLISHED_AFTER + 10


def vectors_for(opened: SQLiteStore, count: int) -> None:
    rng = np.random.default_rng(0)
    assert opened.store.vector_writer
    opened.store.vector_writer.put_vectors(
        "m", {f"n{n:05}#0": rng.normal(size=16).astype(np.float32) for n in range(count)}
    )


@contextmanager
def filled(path: Path, count: int = MANY) -> Iterator[SQLiteStore]:
    with sqlite_store(path) as opened:
        fill_with(opened.store, count)
        vectors_for(opened, count)
        opened.indexes.publish()
        yield opened


def answers(opened: SQLiteStore) -> tuple[list[str], list[str]]:
    assert opened.store.vectors
    words = opened.store.words.find(Word("word7"), EVERYTHING, 10)
    near = opened.store.vectors.nearest("m", np.ones(16, np.float32), EVERYTHING, 10)
    assert len(words) > 3
    assert len(near) == 10
    return hit_ids(words), hit_ids(near)


def sound(opened: SQLiteStore) -> bool:
    return not [each for each in examine(opened, thorough=True) if each.level == "error"]


def index_files(path: Path) -> list[Path]:
    return sorted(file for file in Path(f"{path}.index").rglob("*") if file.is_file())


def test_much_that_is_new_is_published_by_whoever_searches(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with sqlite_store(path) as opened:
        fill_with(opened.store, PUBLISHED_AFTER - 1)
        opened.store.words.find(Word("word7"), EVERYTHING, 1)
        assert not [file for file in index_files(path) if file.suffix == ".segment"]
        put(opened.store, note("last", "word7"))
        opened.store.words.find(Word("word7"), EVERYTHING, 1)
        assert [file for file in index_files(path) if file.suffix == ".segment"]


def test_deleting_the_folder_at_any_time_changes_no_answer(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with filled(path) as opened:
        before = answers(opened)
        shutil.rmtree(opened.indexes.directory)
        assert answers(opened) == before
        put(opened.store, note("new", "brandnew"))
        assert hit_ids(opened.store.words.find(Word("brandnew"), EVERYTHING, 5)) == ["new"]
        opened.indexes.publish()
    shutil.rmtree(f"{path}.index", ignore_errors=True)
    with sqlite_store(path) as opened:
        assert answers(opened) == before
        assert sound(opened)


@pytest.mark.parametrize("damage", ["cut", "garbage", "empty", "missing"])
def test_a_damaged_file_is_noticed_and_the_index_built_again(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "store.db"
    with filled(path) as opened:
        before = answers(opened)
    for file in index_files(path):
        content = file.read_bytes()
        match damage:
            case "cut":
                file.write_bytes(content[: len(content) // 2])
            case "garbage":
                file.write_bytes(content[:-40] + b"\xff" * 40)
            case "empty":
                file.write_bytes(b"")
            case "missing":
                file.unlink()
    with sqlite_store(path) as opened:
        assert answers(opened) == before
        opened.indexes.publish()
        assert sound(opened)


def test_damage_inside_a_file_that_looks_sound_is_survived(tmp_path: Path) -> None:
    """Opening reads the ends of the files only; what is wrong in the middle shows in a search."""
    path = tmp_path / "store.db"
    with filled(path) as opened:
        before = answers(opened)
    for file in index_files(path):
        if file.suffix == ".segment" and file.parent.name == "words":
            content = bytearray(file.read_bytes())
            content[len(content) // 3 : len(content) // 3 * 2] = b"\xff" * (len(content) // 3)
            file.write_bytes(content)
    with sqlite_store(path) as opened:
        assert not sound(opened)
        opened.store.words.find(Word("word7"), EVERYTHING, 10)  # an answer, right or wrong
        repair(opened)
        assert answers(opened) == before
        assert sound(opened)


def test_what_another_process_wrote_is_found_at_once(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with filled(path) as opened:
        for name in ("one", "two"):
            context = multiprocessing.get_context("spawn")
            writer = context.Process(target=_write, args=(path, name))
            writer.start()
            writer.join()
            assert writer.exitcode == 0
            assert hit_ids(opened.store.words.find(Word(name), EVERYTHING, 5)) == [name]
        opened.store.writer.remove(["one"])
        assert hit_ids(opened.store.words.find(Word("one"), EVERYTHING, 5)) == []


def _write(path: Path, name: str) -> None:
    with sqlite_store(path) as opened:
        put(opened.store, note(name, f"{name} alpha"))
        opened.indexes.publish()


def test_an_index_of_another_state_of_the_file_is_not_believed(tmp_path: Path) -> None:
    """A backup put back under an index that was made after it."""
    path = tmp_path / "store.db"
    with filled(path) as opened:
        backup(opened, tmp_path / "copy.db")
        put(opened.store, note("later", "lateword"))
        opened.indexes.publish()
    for suffix in ("-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    shutil.copy(tmp_path / "copy.db", path)
    with sqlite_store(path) as opened:
        assert hit_ids(opened.store.words.find(Word("lateword"), EVERYTHING, 5)) == []
        put(opened.store, note("other", "otherword"), note("third", "otherword"))
        assert len(opened.store.words.find(Word("otherword"), EVERYTHING, 5)) == 2
        assert sound(opened)


def test_a_plain_copy_put_back_is_noticed_by_its_length(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with filled(path) as opened:
        pass
    shutil.copy(path, tmp_path / "plain.db")
    with sqlite_store(path) as opened:
        put(opened.store, note("later", "lateword"))
        opened.indexes.publish()
    shutil.copy(tmp_path / "plain.db", path)
    with sqlite_store(path) as opened:
        put(opened.store, note("x", "xword"), note("y", "yword"))
        assert hit_ids(opened.store.words.find(Word("lateword"), EVERYTHING, 5)) == []
        assert hit_ids(opened.store.words.find(Word("xword"), EVERYTHING, 5)) == ["x"]


@pytest.mark.parametrize("writes_after", [1, 2, 5])
def test_a_plain_copy_of_the_same_length_put_back_is_noticed_by_its_history(
    tmp_path: Path, writes_after: int
) -> None:
    """As many passages and as many changes as the file it replaces, but not the same ones."""
    path = tmp_path / "store.db"
    with filled(path):
        pass
    shutil.copy(path, tmp_path / "plain.db")
    with sqlite_store(path) as opened:
        put(opened.store, note("n00001", "lateword"))
        vectors_for(opened, 3)
        opened.indexes.publish()
    shutil.copy(tmp_path / "plain.db", path)
    with sqlite_store(path) as opened:
        for number in range(writes_after):
            put(opened.store, note("n00002", f"otherword{number}"))
        last = f"otherword{writes_after - 1}"
        assert hit_ids(opened.store.words.find(Word("lateword"), EVERYTHING, 5)) == []
        assert hit_ids(opened.store.words.find(Word(last), EVERYTHING, 5)) == ["n00002"]
        assert "n00001" in hit_ids(opened.store.words.find(Word("word1"), EVERYTHING, 50))
        assert opened.store.vectors
        near = opened.store.vectors.nearest("m", np.ones(16, np.float32), EVERYTHING, MANY)
        assert len(near) == MANY - 1


def test_a_wide_scope_follows_every_write(tmp_path: Path) -> None:
    """Masks of scopes are kept; what changes later must be in them all the same."""
    recent = Scope.of("home", since=days_ago(10))
    with sqlite_store(tmp_path / "store.db") as opened:
        store = opened.store
        put(store, note("old", "alpha", age_days=50), note("far", "alpha", space="away"))
        assert hit_ids(store.words.find(Word("alpha"), recent, 5)) == []
        for number in range(30):
            put(store, note(f"new{number:02}", "alpha", age_days=1))
            assert len(store.words.find(Word("alpha"), recent, 50)) == number + 1
        put(store, note("old", "alpha", age_days=2), note("new00", "alpha", age_days=99))
        found = hit_ids(store.words.find(Word("alpha"), recent, 50))
        assert "old" in found
        assert "new00" not in found
        store.writer.remove(["new01"])
        assert len(store.words.find(Word("alpha"), recent, 50)) == 29
        assert hit_ids(store.words.find(Word("alpha"), Scope.of("away"), 5)) == ["far"]


def test_two_stores_on_one_file_publish_in_turn(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with sqlite_store(path) as one, sqlite_store(path) as other:
        for turn in range(6):
            writer, reader = (one, other) if turn % 2 else (other, one)
            learn(
                (note(f"t{turn}-{n:04}", f"turn{turn} common") for n in range(200)),
                writer.store.writer,
            )
            writer.indexes.publish()
            assert len(reader.store.words.find(Word(f"turn{turn}"), EVERYTHING, 500)) == 200
            reader.store.writer.remove([f"t{turn}-0000"])
            reader.indexes.publish()
            assert len(writer.store.words.find(Word("common"), EVERYTHING, 5000)) == 199 * (
                turn + 1
            )
        assert sound(one)
        assert sound(other)


def test_removals_are_listed_no_longer_than_is_worth_it(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with sqlite_store(path) as one, sqlite_store(path) as late:
        fill_with(one.store, 6_000)
        assert len(late.store.words.find(Word("word7"), EVERYTHING, 100)) > 50
        one.store.writer.remove(one.store.listing.ids_in(EVERYTHING))
        fill_with(one.store, 6_000)
        one.store.writer.remove(one.store.listing.ids_in(EVERYTHING))
        put(one.store, note("stays", "word7"))
        for _ in range(256):
            one.store.writer.remove(["nobody"])
        with one.connections.reading() as connection:
            now = read_clock(connection)
            (listed,) = connection.execute("SELECT count(*) FROM removals").fetchone()
        assert listed < 12_000
        assert now.horizon > 0
        assert hit_ids(late.store.words.find(Word("word7"), EVERYTHING, 5)) == ["stays"]
        assert sound(late)
