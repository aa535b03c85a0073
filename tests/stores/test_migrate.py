"""Everything moves from one store to another, whatever they are made of and wherever it is stopped."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psycopg
import pytest

from recollect.encoders.hashing import Hashing
from recollect.model.errors import BadInput, StoreError
from recollect.model.note import Link
from recollect.model.query import Scope
from recollect.model.records import Key, Kind, Record, key_of, kind_of
from recollect.open import open_library
from recollect.open.addresses import named_address
from recollect.open.migrate import Migrated, migrate
from recollect.ports import Store
from recollect.stores.sqlite import sqlite_store
from recollect.stores.transfer.copying import OWNER
from tests.building import NOW, embed_all, note, put
from tests.stores.postgres.server import Server

SCOPE = Scope.of("home")


def fill(path: Path, count: int = 40) -> Path:
    with sqlite_store(path) as opened:
        store = opened.store
        put(
            store,
            *(
                note(f"n{at:05}", f"word{at % 7} text {at}", tags=(f"t{at % 3}",), session="s")
                for at in range(count)
            ),
            note("hub", "alpha", links=(Link("n00001"), Link("nowhere"))),
            note("far", "alpha", space="elsewhere"),
        )
        store.usage.used(["hub"], NOW)
        store.sessions.open_session("home", "s", "p")
        store.writer.set_aliases("home", {"k8s": ("kubernetes",)})
        store.settings.change_settings("vaults", {"home": "/notes"})
        store.files.remember_files("home", {"a.md": "1"})
        embed_all(store)
    return path


def moved(source: Path | str, target: Path | str, **rest: str | None) -> Migrated:
    from_vectors, to_vectors = rest.get("from_vectors"), rest.get("to_vectors")
    return migrate(named_address(source, from_vectors), named_address(target, to_vectors))


def found(path: Path, vectors: str = "none") -> list[tuple[str, float]]:
    with open_library(path, vectors=vectors, model="hashing", create=False) as library:
        answer = library.ask("word3 text", scope=SCOPE, limit=10)
        assert not answer.degraded
        return [(one.note_id, round(one.score, 6)) for one in answer.results]


def test_a_file_into_a_file(tmp_path: Path) -> None:
    source, target = fill(tmp_path / "a.db"), tmp_path / "b.db"
    done = moved(source, target)
    assert done.is_whole
    counts = {one.kind: (one.source.count, one.target.count) for one in done.comparisons}
    assert counts["note"] == counts["vector"] == (42, 42)
    assert all(one.source.digest == one.target.digest for one in done.comparisons)
    assert all(both[0] == both[1] > 0 for both in counts.values())
    assert found(source) == found(target)


def test_into_qdrant_and_back_again(tmp_path: Path) -> None:
    source, folder = fill(tmp_path / "a.db"), str(tmp_path / "qdrant")
    assert moved(source, tmp_path / "b.db", to_vectors=folder).is_whole
    assert found(tmp_path / "b.db", folder) == found(source)
    assert moved(tmp_path / "b.db", tmp_path / "c.db", from_vectors=folder).is_whole
    assert found(tmp_path / "c.db") == found(source)


@pytest.fixture
def postgres(plain_server: Server) -> Iterator[str]:
    """A database of its own, of a name that nobody else has."""
    name = f"migrated_{time.monotonic_ns()}"
    with psycopg.connect(plain_server.address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield plain_server.address.replace("/postgres?", f"/{name}?")
    with psycopg.connect(plain_server.address, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_into_postgres_and_back_again(tmp_path: Path, postgres: str) -> None:
    source = fill(tmp_path / "a.db")
    assert moved(source, postgres).is_whole
    with open_library(postgres, model="hashing") as library:
        assert library.store.catalogue.counts().notes == 42
        best = library.ask("word3 text", scope=SCOPE, limit=3).results[0]
        assert set(best.legs) == {"words", "meaning"}
    assert moved(postgres, tmp_path / "c.db").is_whole
    assert found(tmp_path / "c.db") == found(source)
    with sqlite_store(source) as one, sqlite_store(tmp_path / "c.db") as other:
        rows = [set_of(opened.store, "note") for opened in (one, other)]
        assert rows[0] == rows[1]


def test_into_postgres_with_its_vectors_in_qdrant_and_back_again(
    tmp_path: Path, postgres: str
) -> None:
    source, folder = fill(tmp_path / "a.db"), str(tmp_path / "qdrant")
    assert moved(source, postgres, to_vectors=folder).is_whole
    assert moved(postgres, tmp_path / "c.db", from_vectors=folder).is_whole
    assert found(tmp_path / "c.db") == found(source)


def set_of(store: Store, kind: Kind) -> dict[Key, Record]:
    return {key_of(one): one for one in store.archive.records() if kind_of(one) == kind}


def test_what_changed_since_is_brought_by_the_next_run(tmp_path: Path) -> None:
    source, target = fill(tmp_path / "a.db"), tmp_path / "b.db"
    assert moved(source, target).brought == 0
    with sqlite_store(source) as opened:
        put(opened.store, note("new", "brand new"), note("hub", "changed"))
        embed_all(opened.store)
    again = moved(source, target)
    assert again.is_whole
    assert again.brought == 4  # two notes, two vectors
    assert moved(source, target).brought == 0


def test_a_difference_is_named_and_is_a_failure(tmp_path: Path) -> None:
    source, target = fill(tmp_path / "a.db"), tmp_path / "b.db"
    moved(source, target)
    with sqlite_store(target) as opened:
        put(opened.store, note("stray"))
    done = moved(source, target)
    assert not done.is_whole
    [notes] = [one for one in done.comparisons if one.kind == "note"]
    assert (notes.missing, notes.different, notes.extra, notes.named) == (0, 0, 1, ["stray"])
    assert notes.source.digest != notes.target.digest


def test_a_vector_that_is_another_is_a_difference(tmp_path: Path) -> None:
    source, target = fill(tmp_path / "a.db"), tmp_path / "b.db"
    moved(source, target)
    with sqlite_store(target) as opened:
        assert opened.store.vector_writer
        wrong = np.roll(Hashing().embed(["something else"])[0], 1)
        opened.store.vector_writer.put_vectors(Hashing().identity, {"hub#0": wrong})
    mended = moved(source, target)
    assert mended.is_whole
    assert mended.brought == 1


def test_a_store_is_not_copied_into_itself_by_any_name(tmp_path: Path) -> None:
    source = fill(tmp_path / "a.db", 3)
    (tmp_path / "link.db").symlink_to(source)
    for same in (source, tmp_path / "link.db", tmp_path / "x" / ".." / "a.db"):
        with pytest.raises(BadInput, match="the store itself"):
            moved(source, same)
    os.link(source, tmp_path / "hard.db")
    for beside in ("-wal", "-shm"):
        if Path(f"{source}{beside}").exists():
            os.link(f"{source}{beside}", tmp_path / f"hard.db{beside}")
    with pytest.raises(BadInput, match=r"the same store|holds notes"):
        moved(source, tmp_path / "hard.db")


def test_a_target_with_notes_of_its_own_is_refused_unless_meant(tmp_path: Path) -> None:
    source, target = fill(tmp_path / "a.db"), fill(tmp_path / "b.db", 3)
    with sqlite_store(target) as opened:
        put(opened.store, note("own"))
    with pytest.raises(BadInput, match="--into-existing"):
        moved(source, target)
    done = migrate(named_address(source), named_address(target), into_existing=True)
    assert done.is_whole
    with sqlite_store(target) as opened:
        assert opened.store.shelf.notes(["own"])
        assert not list(opened.store.archive.records_after("setting", None, 9).records)[1:]


def test_a_source_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"no.db"):
        moved(tmp_path / "no.db", tmp_path / "b.db")
    assert not (tmp_path / "b.db").exists()


def command(source: Path, target: Path, *more: str) -> list[str]:
    words = ["migrate", "--from", str(source), "--to", str(target), "--json", *more]
    return [sys.executable, "-m", "recollect", *words]


@pytest.mark.parametrize(
    ("many", "among", "with_qdrant"),
    [(1_200, ("note", "vector"), False), (510, ("vector",), True)],
)
def test_killed_anywhere_it_goes_on_and_duplicates_nothing(
    tmp_path: Path, many: int, among: tuple[str, ...], with_qdrant: bool
) -> None:
    """More than one batch of everything."""
    source, target = fill(tmp_path / "a.db", many), tmp_path / "b.db"
    more = ["--to-vectors", str(tmp_path / "qdrant")] if with_qdrant else []
    killed = 0
    for kind in among:
        process = subprocess.Popen(  # noqa: S603
            command(source, target, *more), stdout=subprocess.DEVNULL
        )
        before = reached(target).get(kind)
        while process.poll() is None and reached(target).get(kind) == before:
            time.sleep(0.002)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            killed += 1
        process.wait()
    done = subprocess.run(  # noqa: S603
        command(source, target, *more), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["same"]
    assert told["kinds"]["note"]["target"]["count"] == many + 2
    assert told["kinds"]["vector"]["target"]["count"] == many + 2
    assert killed


def reached(target: Path) -> dict[str, object]:
    if not target.exists():
        return {}
    try:
        with sqlite_store(target, create=False) as opened:
            return dict(opened.store.settings.settings(OWNER))
    except StoreError:
        return {}
