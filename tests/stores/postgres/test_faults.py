"""A real server that dies, restarts, cuts transactions and runs out of connections."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import psycopg
import pytest

from recollect.model.errors import BadInput, StoreError
from recollect.model.tree import Word
from recollect.stores.postgres import PostgresStore, postgres_store
from recollect.stores.postgres.address import address_of
from recollect.stores.postgres.connections import Connection, Connections
from recollect.stores.postgres.migrations import migrate
from tests.building import EVERYTHING, NOW, hit_ids, note, put
from tests.stores.postgres.server import PLAIN, Server, running

SECRET = "s3cr3t/pass"  # noqa: S105
WRITERS, READERS = 3, 2


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(PLAIN) as server:
        yield server


@pytest.fixture
def opened(server: Server, request: pytest.FixtureRequest) -> Iterator[PostgresStore]:
    schema = f"faults_{abs(hash(request.node.name)) % 10**8}"
    with postgres_store(server.address, schema=schema, partitions=1, pool_size=6) as opened:
        yield opened


class Crowd:
    """Threads that write and read until they are told to stop, and remember what they were told."""

    def __init__(self, opened: PostgresStore) -> None:
        self._store = opened.store
        self._stop = threading.Event()
        self.acknowledged: list[str] = []
        self.refused: list[str] = []
        self.unexpected: list[BaseException] = []
        self.answered = 0
        works: list[Callable[[], None]] = [partial(self._write, n) for n in range(WRITERS)]
        works += [self._read] * READERS
        self._threads = [threading.Thread(target=self._guarded, args=(work,)) for work in works]

    def __enter__(self) -> "Crowd":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=60)

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            self.unexpected.append(error)

    def _write(self, number: int) -> None:
        for count in range(10_000):
            if self._stop.is_set():
                return
            name = f"w{number}-{count:05}"
            try:
                put(self._store, note(name, f"common {name}"))
                self.acknowledged.append(name)
            except StoreError:
                self.refused.append(name)

    def _read(self) -> None:
        while not self._stop.is_set():
            try:
                self._store.words.find(Word("common"), EVERYTHING, 10)
                self.answered += 1
            except StoreError:
                time.sleep(0.05)

    def wait_for_more(self, seconds: float = 30) -> None:
        """Until reads are answered and writes acknowledged again, by themselves."""
        written, read = len(self.acknowledged), self.answered
        deadline = time.monotonic() + seconds
        while len(self.acknowledged) < written + 10 or self.answered < read + 10:
            assert time.monotonic() < deadline, "nobody is answered any more"
            assert not self.unexpected
            time.sleep(0.02)


@pytest.mark.parametrize("how", ["killed", "stopped at once"])
def test_a_server_lost_under_load_keeps_what_it_acknowledged(
    server: Server, opened: PostgresStore, how: str
) -> None:
    with Crowd(opened) as crowd:
        crowd.wait_for_more()
        for _ in range(2):
            server.kill() if how == "killed" else server.stop(signal.SIGQUIT)
            time.sleep(0.3)
            server.start()
            crowd.wait_for_more()
    assert crowd.unexpected == []
    kept = set(opened.store.listing.ids_in(EVERYTHING))
    assert set(crowd.acknowledged) <= kept
    assert kept <= set(crowd.acknowledged) | set(crowd.refused)
    found = hit_ids(opened.store.words.find(Word("common"), EVERYTHING, 10_000))
    assert sorted(found) == sorted(kept)
    assert [one for one in opened.upkeep.examine(thorough=True) if one.level == "error"] == []


def test_a_server_that_stays_away_is_told_in_a_sentence(server: Server, tmp_path: Path) -> None:
    address = address_of(server.address)
    connections = Connections(address, "away", patience=1.0, wait=1.0)
    migrate(connections, 1)
    opened = PostgresStore(connections, str(tmp_path / "beside"))
    put(opened.store, note("a"))
    server.stop(signal.SIGINT)
    try:
        before = time.monotonic()
        with pytest.raises(StoreError, match="cannot be reached"):
            opened.store.shelf.notes(["a"])
        assert time.monotonic() - before < 15
        [finding] = opened.upkeep.examine()
        assert (finding.level, "cannot be reached" in finding.what) == ("error", True)
    finally:
        server.start()
    assert opened.store.shelf.notes(["a"])["a"].id == "a"
    opened.close()
    with pytest.raises(StoreError, match="closed"):
        opened.store.shelf.notes(["a"])


def test_a_transaction_cut_in_the_middle_leaves_nothing_and_is_done_again(
    server: Server, opened: PostgresStore
) -> None:
    put(opened.store, note("before"))
    cuts: list[int] = []

    def cut_once(connection: Connection) -> None:
        connection.execute("INSERT INTO files VALUES ('home', 'a.md', %s)", (str(len(cuts)),))
        if not cuts:
            cuts.append(connection.info.backend_pid)
            with psycopg.connect(server.address, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s, 5000)", (cuts[0],))
            connection.execute("SELECT 1")

    opened.connections.write(cut_once)
    assert len(cuts) == 1
    assert opened.store.files.files("home") == {"a.md": "1"}
    assert opened.store.shelf.notes(["before"])


def test_counting_is_never_done_twice(server: Server, opened: PostgresStore) -> None:
    """A commit whose outcome nobody knows is repeated only where twice is as good as once."""
    put(opened.store, note("a"))
    runs = []

    def lost_while_committing(connection: Connection) -> None:
        runs.append(1)
        connection.execute("UPDATE usage SET exposures = exposures + 1")
        with psycopg.connect(server.address, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", (connection.info.backend_pid,))

    with pytest.raises(StoreError, match="may or may not be there"):
        opened.connections.write(lost_while_committing, again=False)
    assert len(runs) == 1
    opened.store.usage.shown(["a"], NOW)
    assert opened.store.shelf.facts(["a"])["a"].usage.exposures == 1


def test_two_that_count_the_same_notes_at_once_never_wait_for_each_other_for_ever(
    opened: PostgresStore,
) -> None:
    names = [f"n{n}" for n in range(20)]
    put(opened.store, *map(note, names))

    def count(order: list[str]) -> None:
        for _ in range(10):
            opened.store.usage.shown(order, NOW)

    threads = [threading.Thread(target=count, args=(names[::step],)) for step in (1, -1, 1, -1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    facts = opened.store.shelf.facts(names)
    assert {one.usage.exposures for one in facts.values()} == {40}


def test_settings_changed_by_many_at_once_are_all_there(opened: PostgresStore) -> None:
    def change(number: int) -> None:
        opened.store.settings.change_settings("global", {f"own{number}": number, "last": number})

    threads = [threading.Thread(target=change, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    kept = opened.store.settings.settings("global")
    assert {f"own{number}" for number in range(6)} < set(kept)
    assert kept["last"] in range(6)


def test_the_same_notes_put_by_many_at_once_are_there_once(opened: PostgresStore) -> None:
    def write(number: int) -> None:
        for count in range(5):
            text = f"shared text {number} {count}"
            order = range(10) if number % 2 else range(9, -1, -1)
            put(opened.store, *(note(f"n{n}", text) for n in order))

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(opened.store.words.find(Word("shared"), EVERYTHING, 100)) == 10
    assert [one for one in opened.upkeep.examine(thorough=True) if one.level == "error"] == []


def test_an_exhausted_pool_is_told_in_time(server: Server) -> None:
    connections = Connections(address_of(server.address), "public", pool_size=1, wait=0.3)
    entered, leave = threading.Event(), threading.Event()

    def hold(connection: Connection) -> None:
        entered.set()
        leave.wait(30)

    holder = threading.Thread(target=connections.read, args=(hold,))
    holder.start()
    assert entered.wait(30)
    try:
        with pytest.raises(StoreError, match=r"all 1 connections were busy for 0\.3 seconds"):
            connections.read(lambda connection: connection.execute("SELECT 1"))
    finally:
        leave.set()
        holder.join()
    assert connections.read(lambda to: to.execute("SELECT 1").fetchone()) == (1,)
    connections.close()


def test_a_replica_that_is_gone_is_done_without(server: Server) -> None:
    nowhere = "postgresql://postgres@/postgres?host=/nonexistent/replica"
    with postgres_store(server.address, replica=nowhere, schema="alone", partitions=1) as opened:
        put(opened.store, note("a"))
        assert set(opened.store.shelf.notes(["a"])) == {"a"}
        before = time.monotonic()
        for _ in range(20):
            opened.store.shelf.notes(["a"])
        assert time.monotonic() - before < 5  # it is left alone for a while


def test_a_statement_that_takes_too_long_is_ended(opened: PostgresStore) -> None:
    def sleep(connection: Connection) -> None:
        connection.execute("SET LOCAL statement_timeout = 50")
        connection.execute("SELECT pg_sleep(20)")

    with pytest.raises(StoreError, match="statement timeout"):
        opened.connections.read(sleep)


def test_a_password_is_never_told(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    shown = address_of(f"postgresql://ann:{SECRET.replace('/', '%2F')}@db.example:5433/notes")
    assert shown.shown == "postgresql://ann@db.example:5433/notes"
    assert SECRET not in repr(shown)
    for wrong in (
        f"postgresql://ann:{SECRET}@host:notaport/notes",
        f"postgres://ann:{SECRET}@[half/notes",
        f"host=x password={SECRET} nonsense",
    ):
        with pytest.raises((BadInput, StoreError)) as told:
            postgres_store(wrong)
        assert SECRET not in str(told.value)
    connections = Connections(
        address_of(f"postgresql://ann:{SECRET.replace('/', '%2F')}@/nodb?host={server.folder}"),
        "recollect",
        wait=0.5,
        patience=0.5,
    )
    with pytest.raises(StoreError) as refused:
        connections.read(lambda connection: connection.execute("SELECT 1"))
    connections.close()
    assert SECRET not in str(refused.value)
    assert SECRET not in caplog.text
