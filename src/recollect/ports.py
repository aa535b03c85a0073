"""Every seam on one screen: what a store, a model and a clock must be able to do, and no more.

A read takes a scope and applies it inside its own query. Hits come best first, higher is better.
`may_wait` says that a port may wait on the network, so that the engine asks such ports side by side.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from recollect.model.inventory import Counts, Finding, Label, LabelKind, ModelCount, SpaceCount
from recollect.model.note import Document, Facts, Note, Passage, Session
from recollect.model.query import Scope
from recollect.model.ranking import Hit
from recollect.model.recollection import Recollection
from recollect.model.records import Key, Kind, Page, Record
from recollect.model.tree import Node

Vector = NDArray[np.float32]
"""One embedding. A model's vectors have unit length, or are all zero for an empty text."""


class Words(Protocol):
    """Finding by words. `compiled` shows the syntax a query becomes; it never leaves the store otherwise."""

    may_wait: bool

    def compiled(self, query: Node) -> str: ...
    def find(self, query: Node, scope: Scope, depth: int) -> Sequence[Hit]: ...
    def containing(self, query: Node, note_ids: Iterable[str]) -> frozenset[str]:
        """Which of these notes match the query anywhere in them."""
        ...


class Slugs(Protocol):
    """Finding by the look of a path's last part (the last rung of the retry ladder)."""

    def resembling(self, words: Sequence[str], scope: Scope, depth: int) -> Sequence[Hit]: ...


class Vectors(Protocol):
    """Finding by meaning. `model` is an embedder's identity: vectors of two models never mix."""

    may_wait: bool

    def nearest(self, model: str, vector: Vector, scope: Scope, depth: int) -> Sequence[Hit]: ...
    def similarities(self, model: str, vector: Vector, note_ids: Iterable[str]) -> Sequence[Hit]:
        """Cosine of each of these notes' best passage; a note without a vector is left out."""
        ...

    def missing(self, model: str) -> int:
        """How many passages have no vector of this model yet."""
        ...

    def recently_accessed(self, model: str, scope: Scope, count: int) -> Sequence[str]:
        """The ids of the notes accessed last, among those that have a vector of this model."""
        ...


class Graph(Protocol):
    """Finding by links, in either direction, from the notes already found."""

    may_wait: bool

    def neighbours(self, seeds: Mapping[str, float], scope: Scope, depth: int) -> Sequence[Hit]:
        """Notes one link away, each scored by the sum of the weights of the seeds it touches."""
        ...


class Shelf(Protocol):
    """Reading what is stored, by id, in one batch each."""

    def facts(self, note_ids: Iterable[str]) -> Mapping[str, Facts]: ...
    def passages(self, passage_ids: Iterable[str]) -> Mapping[str, Passage]: ...
    def notes(self, note_ids: Iterable[str]) -> Mapping[str, Note]: ...
    def seen(self, note_ids: Iterable[str], scope: Scope) -> frozenset[str]:
        """Which of these notes are there and may be seen."""
        ...

    def aliases(self, spaces: Iterable[str], names: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        """What else these names go by. A name is its tokens, joined by spaces."""
        ...


class Listing(Protocol):
    """Going through what is kept, without a question."""

    def notes_in(self, scope: Scope, count: int, skip: int = 0) -> Sequence[Note]:
        """The notes of a scope, the most recently changed first."""
        ...

    def ids_in(self, scope: Scope) -> Sequence[str]:
        """The ids of all notes of a scope, in their order: what forgetting it would remove."""
        ...

    def ids_by_path(self, spaces: Iterable[str], path: str) -> Sequence[str]:
        """The notes at exactly this path, or, where there are none, those whose path ends in it."""
        ...

    def linking_to(self, note_id: str) -> Sequence[str]:
        """The ids of the other notes of its space that link to this one."""
        ...

    def labels_in(self, kind: LabelKind, scope: Scope, count: int) -> Sequence[Label]:
        """The tags, sessions or projects that notes of a scope bear, the most common first, then by
        name. A session's notes are in the project the session is in now."""
        ...


class Catalogue(Protocol):
    """How much there is. `spaces` and `models` are as quick in a large store as in a small one."""

    def spaces(self) -> tuple[str, ...]:
        """Every space that has a note."""
        ...

    def by_space(self) -> tuple[SpaceCount, ...]:
        """What each space holds, by name."""
        ...

    def models(self) -> tuple[ModelCount, ...]: ...
    def counts(self) -> Counts: ...


class Writer(Protocol):
    """Writing notes. Each call is one transaction: all of it is there afterwards, or none."""

    def put(self, documents: Iterable[Document]) -> None: ...
    def remove(self, note_ids: Iterable[str]) -> int: ...
    def set_aliases(self, space: str, aliases: Mapping[str, tuple[str, ...]]) -> None: ...


class VectorWriter(Protocol):
    """Writing embeddings, and asking which passages still wait for one."""

    def put_vectors(self, model: str, vectors: Mapping[str, Vector]) -> None: ...
    def without_vector(self, model: str, count: int) -> Sequence[Passage]: ...
    def drop_model(self, model: str) -> int:
        """Forgets every vector of a model; how many there were."""
        ...


class UsageLog(Protocol):
    """Counting. Shown is not used: each touches the time, `shown` also the exposures and `used` the
    access count."""

    def recalled(self, note_ids: Iterable[str], at: datetime) -> None: ...
    def shown(self, note_ids: Iterable[str], at: datetime) -> None: ...
    def used(self, note_ids: Iterable[str], at: datetime) -> None: ...


class Sessions(Protocol):
    """Which conversations belong together."""

    def open_session(self, space: str, session: str, project: str | None = None) -> None: ...
    def move_session(self, space: str, session: str, project: str | None) -> None: ...
    def sessions_around(self, space: str, session: str) -> frozenset[str]:
        """All sessions of this session's project if it has one, else just itself (R4.5)."""
        ...


class Roster(Protocol):
    """Which conversations there are, in the order of their names."""

    def session(self, space: str, session: str) -> Session | None: ...
    def list_sessions(
        self, space: str, count: int, skip: int = 0, project: str | None = None
    ) -> Sequence[Session]: ...
    def list_projects(self, space: str) -> Sequence[str]:
        """The projects that have a session."""
        ...

    def drop_session(self, space: str, session: str) -> None:
        """Forgets the session, not its notes: they are in their own project from then on."""
        ...


class Settings(Protocol):
    """Small named values that outlive a process, changed all together or not at all."""

    def settings(self, owner: str) -> Mapping[str, Any]: ...
    def change_settings(self, owner: str, changes: Mapping[str, Any]) -> Mapping[str, Any]: ...


class Recollections(Protocol):
    """What each session of an agent was told last."""

    def last(self, session: str) -> Recollection | None: ...
    def change(
        self, session: str, change: Callable[[Recollection | None], Recollection]
    ) -> Recollection:
        """Puts what `change` makes of the last one in its place, whole; one at a time."""
        ...

    def turn(self, session: str) -> AbstractContextManager[None]:
        """One prompt of a session after the other, in whichever process: what is handed over to one
        has arrived, or has not, before the next is answered."""
        ...

    def drop(self, session: str) -> None: ...


class FileLog(Protocol):
    """What is remembered of a space's files between two visits: one line of text per path."""

    def files(self, space: str) -> Mapping[str, str]: ...
    def remember_files(self, space: str, lines: Mapping[str, str]) -> None: ...
    def forget_files(self, space: str, paths: Iterable[str]) -> None: ...


class Archive(Protocol):
    """Everything a person put in, to be moved from one store to another."""

    def records(self, *, vectors: bool = True) -> Iterator[Record]:
        """All of it as it is at one moment, notes first; writers go on meanwhile."""
        ...

    def records_after(self, kind: Kind, after: Key | None, count: int) -> Page:
        """The next records of a kind by key, at most so many; None begins at the beginning.
        Each call is a moment of its own, so that none lasts long."""
        ...

    def take(self, records: Iterable[Record]) -> None:
        """One transaction: all of them are there afterwards, or none. What is there under the same
        key is replaced; a vector whose passage is not there is dropped."""
        ...


class Embedder(Protocol):
    """Text to vectors. `identity` names the model and everything that shapes its vectors."""

    identity: str
    dimensions: int
    may_wait: bool
    weak: bool
    """Whether its vectors mislead where they count as much as words: recipes then lean on words."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]: ...


class Judge(Protocol):
    """A query and texts in, one score per text out, higher is better."""

    identity: str
    may_wait: bool

    def judge(self, query: str, texts: Sequence[str]) -> Sequence[float]: ...


class Clock(Protocol):
    def now(self) -> datetime: ...
    def seconds(self) -> float:
        """Monotonic, for measuring how long something took."""
        ...


class Ports(NamedTuple):
    """What a search needs of the world. None: not here, and the answer says so."""

    words: Words
    shelf: Shelf
    clock: Clock
    vectors: Vectors | None = None
    embedder: Embedder | None = None
    graph: Graph | None = None
    slugs: Slugs | None = None
    judge: Judge | None = None


class Store(NamedTuple):
    """Everything a store offers, seam by seam. A store without vectors or links says None."""

    words: Words
    slugs: Slugs
    vectors: Vectors | None
    graph: Graph | None
    shelf: Shelf
    listing: Listing
    catalogue: Catalogue
    writer: Writer
    vector_writer: VectorWriter | None
    usage: UsageLog
    sessions: Sessions
    roster: Roster
    settings: Settings
    files: FileLog
    archive: Archive

    def ports(
        self, clock: Clock, embedder: Embedder | None = None, judge: Judge | None = None
    ) -> Ports:
        return Ports(
            words=self.words,
            shelf=self.shelf,
            clock=clock,
            vectors=self.vectors,
            embedder=embedder,
            graph=self.graph,
            slugs=self.slugs,
            judge=judge,
        )


class Upkeep(Protocol):
    """Looking after a store."""

    def examine(self, *, thorough: bool = False) -> Sequence[Finding]:
        """What is sound and what is not. Changes nothing."""
        ...

    def repair(self) -> None:
        """Derives again what is derived. Safe to run at any time."""
        ...

    def backup(self, target: str) -> str:
        """A whole copy, made while the store is in use."""
        ...


class Place(Protocol):
    """An open store. `address` is what a person calls it, without secrets; `beside` is the path next
    to which this machine keeps what goes with the store, such as what each session was told."""

    @property
    def store(self) -> Store: ...
    @property
    def upkeep(self) -> Upkeep: ...
    @property
    def address(self) -> str: ...
    @property
    def beside(self) -> str: ...
    def publish(self) -> None:
        """Makes what is derived ready for whoever searches next."""
        ...

    def close(self) -> None: ...
