"""The derived indexes, caught up with the file before each use: built from it, never the truth.

They live in a folder beside the file. What the file's change counter says was missed is added in
memory; once that is much, it is published for all processes. An index that is missing, damaged,
of another file or of another length than the file says is built again.
"""

import logging
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from recollect.stores.fields import BM25_B, BM25_K1
from recollect.stores.passage_words import COUNTING
from recollect.stores.sqlite.clock import Clock, read_clock, went_through
from recollect.stores.sqlite.codes import CodeIndex
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.impact import ImpactIndex
from recollect.stores.sqlite.terms import WordRow, counted

PUBLISHED_AFTER: Final = 512
"""Passages taken up in memory before they are published: taking them up costs about 20 ms."""
_AT_ONCE: Final = 2_000  # passages read and added together
_ATTEMPTS: Final = 3  # another process may be publishing just now

_log: Final = logging.getLogger(__name__)
Index = TypeVar("Index", ImpactIndex, CodeIndex)


class Behind(NamedTuple):
    """What an index may have to catch up with: `take_up` adds what changed after the given change
    and tells how many passages that were; `expected` is how many there are in the end; `knows` says
    whether the file has ever been at a change."""

    now: Clock
    expected: int
    knows: Callable[[int], bool]
    take_up: Callable[[int], int]


class Model(NamedTuple):
    row: int
    identity: str
    dimensions: int
    vectors: int


class Indexes:
    """One words index, and one vector index for each model that was asked for."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self.directory = Path(f"{connections.path}.index")
        self._scratch: TemporaryDirectory[str] | None = None
        self._opening = threading.Lock()
        self._words: ImpactIndex | None = None
        self._vectors: dict[int, CodeIndex] = {}
        self._waiting: dict[int, int] = {}
        self._lacking: dict[int, int] = {}
        self._store = ""

    def words(self, connection: sqlite3.Connection) -> ImpactIndex:
        """The words of all passages, as this view of the file has them or newer."""
        now = read_clock(connection)
        index = self._words or self._open_words()
        knows = partial(went_through, connection)
        behind = Behind(now, now.passages, knows, lambda mark: _words(index, connection, mark))
        self._catch_up(index, behind)
        return index

    def vectors(self, connection: sqlite3.Connection, model: Model) -> CodeIndex:
        now = read_clock(connection)
        index = self._vectors.get(model.row) or self._open_vectors(model)
        knows = partial(went_through, connection)
        take_up = partial(_vectors, index, connection, model)
        behind = Behind(now, model.vectors, knows, take_up)
        self._catch_up(index, behind)
        return index

    def publish(self) -> None:
        """Catch everything up and write it, so that the next process finds it ready."""
        for _ in range(_ATTEMPTS):
            published = [self._publish(index) for index in self._every()]
            if all(published):
                return

    def drop(self, model: Model) -> None:
        """The model is gone from the file, and so is what was derived from it."""
        with self._opening:
            self._vectors.pop(model.row, None)
        if not self._connections.read_only:
            shutil.rmtree(self.directory / f"vectors-{model.row}", ignore_errors=True)

    def distrust_words(self) -> None:
        """The words index turned out to be damaged inside; it is built again when next asked for."""
        if self._words:
            _log.warning("the words index is damaged and is built again")
            self._words.reset()

    def forget(self) -> None:
        """Let go of everything that is open; it is opened again when it is asked for."""
        with self._opening:
            self._words, self._vectors = None, {}
            self._waiting, self._lacking = {}, {}

    def close(self) -> None:
        self.forget()
        if self._scratch:
            self._scratch.cleanup()

    def _every(self) -> list[ImpactIndex | CodeIndex]:
        with self._connections.reading() as connection:
            known = models(connection)
            return [
                self.words(connection),
                *(self.vectors(connection, model) for model in known),
            ]

    def _open_words(self) -> ImpactIndex:
        with self._opening:
            if self._words is None:
                source = f"{self._source()}/{COUNTING}"
                index = ImpactIndex.open(self._folder("words"), source, BM25_K1, BM25_B)
                self._words = self._checked(index)
            return self._words

    def _open_vectors(self, model: Model) -> CodeIndex:
        with self._opening:
            if model.row not in self._vectors:
                folder, source = f"vectors-{model.row}", f"{self._source()}/{model.identity}"
                index = CodeIndex.open(self._folder(folder), model.dimensions, source)
                self._vectors[model.row] = self._checked(index)
            return self._vectors[model.row]

    def _source(self) -> str:
        if not self._store:
            with self._connections.reading() as connection:
                query = "SELECT value FROM meta WHERE name = 'store'"
                self._store = str(connection.execute(query).fetchone()[0])
        return self._store

    def _folder(self, name: str) -> Path:
        if self._connections.read_only and not (self.directory / name).is_dir():
            self._scratch = self._scratch or TemporaryDirectory(prefix="recollect-")
            return Path(self._scratch.name) / name
        return self.directory / name

    def _checked(self, index: Index) -> Index:
        """An index ahead of its file belongs to a file that was since put back to an older state."""
        if index.problem:
            _log.warning("an index is built again: %s", index.problem)
        with self._connections.reading() as connection:
            if index.mark > read_clock(connection).change:
                index.reset()
        return index

    def _catch_up(self, index: ImpactIndex | CodeIndex, behind: Behind) -> None:
        self._take_up(index, behind)
        if self._waiting.get(id(index), 0) >= PUBLISHED_AFTER:
            self._publish(index)
            self._take_up(index, behind)  # another process may have published less than we knew

    def _take_up(self, index: ImpactIndex | CodeIndex, behind: Behind) -> None:
        now, expected = behind.now, behind.expected - self._lacking.get(id(index), 0)
        if index.mark > now.change or (index.mark == now.change and len(index) == expected):
            return
        with index.catching_up() as mark:
            if mark < now.horizon or (0 < mark < now.change and not behind.knows(mark)):
                index.reset()
            taken = 0
            if index.mark < now.change:
                taken = behind.take_up(index.mark)
                index.advance(now.change)
            if index.mark == now.change and len(index) != expected:
                taken = self._start_over(index, behind)
        self._waiting[id(index)] = self._waiting.get(id(index), 0) + taken

    def _start_over(self, index: ImpactIndex | CodeIndex, behind: Behind) -> int:
        index.reset()
        taken = behind.take_up(0)
        index.advance(behind.now.change)
        self._lacking[id(index)] = lacking = behind.expected - len(index)
        if lacking:  # not the index's fault, so that building it once more would not help
            _log.warning("%d passages cannot be found; recollect doctor says why", lacking)
        return taken

    def _publish(self, index: ImpactIndex | CodeIndex) -> bool:
        """A folder that cannot be written to, or went away, costs time later, nothing else."""
        if self._connections.read_only:
            return True
        before, done = index.mark, False
        with suppress(OSError, sqlite3.Error):
            done = index.publish()
        if done or index.mark != before:
            self._waiting[id(index)] = 0
        return done


def models(connection: sqlite3.Connection) -> list[Model]:
    rows = connection.execute("SELECT row, identity, dimensions, vectors FROM models ORDER BY row")
    return [Model(*row) for row in rows]


def model_named(connection: sqlite3.Connection, identity: str) -> Model | None:
    statement = "SELECT row, identity, dimensions, vectors FROM models WHERE identity = ?"
    row = connection.execute(statement, (identity,)).fetchone()
    return Model(*row) if row else None


def _words(index: ImpactIndex, connection: sqlite3.Connection, mark: int) -> int:
    gone = _removed(connection, mark) if mark else []
    index.remove(gone)
    changed = connection.execute(
        "SELECT p.row, w.* FROM passages p JOIN passage_words w ON w.rowid = p.row"
        " WHERE p.change > ? ORDER BY p.change",
        (mark,),
    )
    taken = len(gone)
    for batch in _batches(changed):
        rows = [row for row, *_ in batch]
        measured = [counted(WordRow(*columns)) for _, *columns in batch]
        index.add(rows, [each.terms for each in measured], [each.length for each in measured])
        taken += len(rows)
    return taken


def _vectors(index: CodeIndex, connection: sqlite3.Connection, model: Model, mark: int) -> int:
    """A passage that changed since has lost its vector, unless it has been given a new one."""
    lost = connection.execute(
        "SELECT row FROM passages p WHERE change > ? AND NOT EXISTS"
        " (SELECT 1 FROM vectors v WHERE v.model = ? AND v.passage = p.row)",
        (mark, model.row),
    )
    gone = [*_removed(connection, mark), *(row for (row,) in lost)] if mark else []
    index.remove(gone)
    added = connection.execute(
        "SELECT passage, vector FROM vectors WHERE model = ? AND change > ?"
        " AND length(vector) = ? ORDER BY change",
        (model.row, mark, 4 * model.dimensions),
    )
    taken = len(gone)
    for batch in _batches(added):
        rows = [row for row, _ in batch]
        joined = b"".join(vector for _, vector in batch)
        index.add(rows, np.frombuffer(joined, "<f4").reshape(len(rows), -1))
        taken += len(rows)
    return taken


def _removed(connection: sqlite3.Connection, mark: int) -> list[int]:
    rows = connection.execute("SELECT row FROM removals WHERE change > ?", (mark,))
    return [row for (row,) in rows]


def _batches(cursor: sqlite3.Cursor) -> Iterator[list[tuple[Any, ...]]]:
    while batch := list(islice(cursor, _AT_ONCE)):
        yield batch
