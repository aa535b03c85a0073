"""Opening a file: fresh, old, shared, foreign, damaged, or from the future."""

import multiprocessing
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest
from tests.building import EVERYTHING, hit_ids, note

from recollect.engine.learn import document_of
from recollect.model.errors import BadInput, StoreError
from recollect.model.tree import Word
from recollect.stores.sqlite import schema, sqlite_store
from recollect.stores.sqlite.doctor import examine
from recollect.stores.sqlite.migrations import STEPS, migrate


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def put_one(path: Path, name: str = "a") -> None:
    with sqlite_store(path) as opened:
        opened.store.writer.put([document_of(note(name, f"alpha {name}"))])


def found(path: Path, word: str = "alpha") -> list[str]:
    with sqlite_store(path) as opened:
        return hit_ids(opened.store.words.find(Word(word), EVERYTHING, 50))


def test_a_missing_folder_is_made(tmp_path: Path) -> None:
    put_one(tmp_path / "not" / "yet" / "store.db")
    assert found(tmp_path / "not" / "yet" / "store.db") == ["a"]


def test_a_missing_file_is_named_where_none_may_be_made(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"there is no store at .*none\.db"):
        sqlite_store(tmp_path / "none.db", create=False)
    assert not (tmp_path / "none.db").exists()


def test_a_path_may_hold_any_character(tmp_path: Path) -> None:
    path = tmp_path / "what? #1 100% ü.db"
    put_one(path)
    assert path.exists()
    assert found(path) == ["a"]


def test_a_folder_is_not_a_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is a folder"):
        sqlite_store(tmp_path)


def test_a_file_of_another_kind_is_named_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("# Not a database\n" * 100)
    with pytest.raises(StoreError, match=r"notes\.md: file is not a database"):
        sqlite_store(path)
    assert path.read_text() == "# Not a database\n" * 100


def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        sqlite_store(path)
    assert path.read_bytes() == before


def test_a_file_from_the_future_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    put_one(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    with pytest.raises(StoreError, match="written by a newer Recollect"):
        sqlite_store(path)


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    path.touch()
    put_one(path)
    assert found(path) == ["a"]


@pytest.mark.parametrize("taken", range(len(STEPS)))
def test_a_file_at_any_earlier_version_is_brought_up_to_date(tmp_path: Path, taken: int) -> None:
    path = tmp_path / "store.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, path, STEPS[:taken])
        if taken:
            connection.execute("INSERT INTO sessions VALUES ('home', 's', 'p')")
    with sqlite_store(path) as opened:
        around = opened.store.sessions.sessions_around("home", "s")
        assert around == {"s"}
        assert not [each for each in examine(opened, thorough=True) if each.level == "error"]
    assert version(path) == len(STEPS)


def test_an_old_file_keeps_its_notes_and_gets_the_pool_index(tmp_path: Path) -> None:
    """R1.6: the step that makes the index finds rows that were there before it."""
    path = tmp_path / "store.db"
    put_one(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP INDEX pool")
        connection.execute("DROP TABLE files")
        connection.execute("PRAGMA user_version = 3")
    assert found(path) == ["a"]
    with closing(sqlite3.connect(path)) as connection:
        made = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'pool'").fetchone()
    assert "WHERE vectors > 0" in made[0]


def test_every_step_may_run_twice(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    put_one(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA user_version = 0")
        migrate(connection, path)
    assert found(path) == ["a"]


def test_a_step_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    broken = (schema.NOTES, "CREATE TABLE half (x);\nCREATE TABLE half (x);")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        with pytest.raises(StoreError):
            migrate(connection, path, broken)
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    assert "notes" in tables
    assert "half" not in tables
    assert version(path) == 1


@pytest.mark.parametrize("taken", [0, 1, 3])
def test_many_processes_open_a_fresh_or_old_file_at_once(tmp_path: Path, taken: int) -> None:
    path = tmp_path / "store.db"
    if taken:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            migrate(connection, path, STEPS[:taken])
    names = ["a", "b", "c", "d"]
    context = multiprocessing.get_context("fork")
    crew = [context.Process(target=put_one, args=(path, name)) for name in names]
    for process in crew:
        process.start()
    for process in crew:
        process.join()
    assert [process.exitcode for process in crew] == [0] * len(crew)
    assert sorted(found(path)) == names


def test_threads_share_a_store(tmp_path: Path) -> None:
    failures: list[Exception] = []
    with sqlite_store(tmp_path / "store.db") as opened:

        def work(name: str) -> None:
            try:
                for number in range(15):
                    opened.store.writer.put([document_of(note(f"{name}{number}", "alpha"))])
                    opened.store.words.find(Word("alpha"), EVERYTHING, 5)
            except Exception as failure:
                failures.append(failure)

        crew = [threading.Thread(target=work, args=(name,)) for name in "abcdef"]
        for thread in crew:
            thread.start()
        for thread in crew:
            thread.join()
        assert failures == []
        assert len(opened.store.words.find(Word("alpha"), EVERYTHING, 500)) == 90


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    opened = sqlite_store(tmp_path / "store.db")
    opened.close()
    opened.close()
    with pytest.raises(StoreError, match="has been closed"):
        opened.store.shelf.notes(["a"])


def test_a_text_no_file_can_keep_is_refused(tmp_path: Path) -> None:
    with sqlite_store(tmp_path / "store.db") as opened:
        with pytest.raises(BadInput, match="surrogate"):
            opened.store.writer.put([document_of(note("a", "half \ud800 of it"))])
        assert opened.store.shelf.notes(["a"]) == {}


READ_ONLY = """
import os, sys
from recollect.model.errors import StoreError
from recollect.model.query import Scope
from recollect.model.tree import Word
from recollect.stores.sqlite import sqlite_store
if os.getuid() == 0:  # whom nothing is read-only for
    os.setuid(65534)
opened = sqlite_store(sys.argv[1])
assert opened.connections.read_only
print([hit.note_id for hit in opened.store.words.find(Word("alpha"), Scope.of("home"), 5)])
try:
    opened.store.writer.remove(["a"])
except StoreError as error:
    print(error)
"""


def test_a_read_only_file_is_searched_and_never_written(tmp_path: Path) -> None:
    path = tmp_path / "shelf" / "store.db"
    put_one(path)
    path.chmod(0o444)
    path.parent.chmod(0o555)
    for folder in tmp_path.parents:  # another user must be able to get here
        if folder.owner() == tmp_path.owner() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o055)
    tmp_path.chmod(0o755)
    try:
        said = subprocess.run(  # noqa: S603
            [sys.executable, "-c", READ_ONLY, str(path)],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    finally:
        path.parent.chmod(0o755)
        path.chmod(0o644)
    assert "['a']" in said
    assert "is read-only" in said
