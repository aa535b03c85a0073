"""Ports that say what they were told to say and remember what they were asked."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.engine.ask import ask
from recollect.model.answer import Answer
from recollect.model.note import Facts, Note, Passage
from recollect.model.query import Query, Scope
from recollect.model.ranking import Hit
from recollect.model.tree import Node
from recollect.ports import Clock, Judge, Ports, Shelf, Store, Vector
from recollect.recipes.recipe import Recipe
from recollect.stores.memory import memory_store
from tests.building import EVERYTHING, NOW, StillClock, put


def hits(*note_ids: str, scores: Sequence[float] | None = None) -> tuple[Hit, ...]:
    """These notes best first; without scores given, evenly spaced ones below 1."""
    spaced = scores or [(len(note_ids) - at) / (len(note_ids) + 1) for at in range(len(note_ids))]
    return tuple(
        Hit(note_id, score, f"{note_id}#0") for note_id, score in zip(note_ids, spaced, strict=True)
    )


@dataclass
class Behaviour:
    """What a port does when it is called: it counts, it may wait, it may break."""

    error: Exception | None = None
    seconds: float = 0.0
    calls: int = 0
    spans: list[tuple[float, float]] = field(default_factory=list)

    def act(self) -> None:
        began = time.monotonic()
        self.calls += 1
        if self.seconds:
            time.sleep(self.seconds)
        self.spans.append((began, time.monotonic()))
        if self.error is not None:
            raise self.error


@dataclass
class SaidWords(Behaviour):
    says: Sequence[Hit] = ()
    holding: frozenset[str] = frozenset()
    may_wait: bool = False
    trees: list[Node] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)

    def compiled(self, query: Node) -> str:
        return repr(query)

    def find(self, query: Node, scope: Scope, depth: int) -> Sequence[Hit]:
        self.trees.append(query)
        self.scopes.append(scope)
        self.depths.append(depth)
        self.act()
        return self.says[:depth]

    def containing(self, query: Node, note_ids: Iterable[str]) -> frozenset[str]:
        return self.holding & frozenset(note_ids)


@dataclass
class SaidVectors(Behaviour):
    says: Sequence[Hit] = ()
    recent: Sequence[str] = ()
    may_wait: bool = False
    scopes: list[Scope] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    compared: list[tuple[str, ...]] = field(default_factory=list)

    def missing(self, model: str) -> int:
        return 0

    def nearest(self, model: str, vector: Vector, scope: Scope, depth: int) -> Sequence[Hit]:
        self.scopes.append(scope)
        self.depths.append(depth)
        self.act()
        return self.says[:depth]

    def similarities(self, model: str, vector: Vector, note_ids: Iterable[str]) -> Sequence[Hit]:
        asked = tuple(note_ids)
        self.compared.append(asked)
        self.act()
        return [hit for hit in self.says if hit.note_id in asked]

    def recently_accessed(self, model: str, scope: Scope, count: int) -> Sequence[str]:
        self.scopes.append(scope)
        self.depths.append(count)
        return self.recent[:count]


@dataclass
class SaidGraph(Behaviour):
    says: Sequence[Hit] = ()
    may_wait: bool = False
    scopes: list[Scope] = field(default_factory=list)
    seeds: list[Mapping[str, float]] = field(default_factory=list)

    def neighbours(self, seeds: Mapping[str, float], scope: Scope, depth: int) -> Sequence[Hit]:
        self.scopes.append(scope)
        self.seeds.append(seeds)
        self.act()
        return self.says[:depth]


@dataclass
class SaidSlugs(Behaviour):
    says: Sequence[Hit] = ()
    scopes: list[Scope] = field(default_factory=list)
    words: list[tuple[str, ...]] = field(default_factory=list)

    def resembling(self, words: Sequence[str], scope: Scope, depth: int) -> Sequence[Hit]:
        self.scopes.append(scope)
        self.words.append(tuple(words))
        self.act()
        return self.says[:depth]


@dataclass
class OneVector(Behaviour):
    """An embedder for which all texts mean the same."""

    identity: str = "one-vector"
    dimensions: int = 2
    may_wait: bool = False
    weak: bool = False
    texts: list[str] = field(default_factory=list)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts.extend(texts)
        self.act()
        return np.tile(np.array([0.6, 0.8], dtype=np.float32), (len(texts), 1))


@dataclass
class SaidJudge(Behaviour):
    """Scores each text by the first of its marks that the text holds; others get nothing."""

    marks: Mapping[str, float] = field(default_factory=dict)
    scores: Sequence[float] | None = None
    identity: str = "said-judge"
    may_wait: bool = False
    queries: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def judge(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        self.queries.append(query)
        self.texts = list(texts)
        self.act()
        if self.scores is not None:
            return self.scores
        return [
            next((score for mark, score in self.marks.items() if mark in text), 0.0)
            for text in texts
        ]


@dataclass
class CountingShelf:
    """A real shelf that remembers which ids it was asked for, call by call."""

    shelf: Shelf
    facts_calls: list[tuple[str, ...]] = field(default_factory=list)
    forgetting: frozenset[str] = frozenset()

    def facts(self, note_ids: Iterable[str]) -> Mapping[str, Facts]:
        asked = tuple(note_ids)
        self.facts_calls.append(asked)
        return self.shelf.facts([one for one in asked if one not in self.forgetting])

    def passages(self, passage_ids: Iterable[str]) -> Mapping[str, Passage]:
        return self.shelf.passages(passage_ids)

    def notes(self, note_ids: Iterable[str]) -> Mapping[str, Note]:
        return self.shelf.notes(note_ids)

    def seen(self, note_ids: Iterable[str], scope: Scope) -> frozenset[str]:
        return self.shelf.seen(note_ids, scope)

    def aliases(self, spaces: Iterable[str], names: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        return self.shelf.aliases(spaces, names)


class RealClock:
    def now(self) -> datetime:
        return datetime.now(UTC)

    def seconds(self) -> float:
        return time.monotonic()


@dataclass
class Scene:
    """Real notes on a real shelf, found by legs that say what they were told."""

    store: Store
    words: SaidWords
    vectors: SaidVectors
    graph: SaidGraph
    slugs: SaidSlugs
    embedder: OneVector
    shelf: CountingShelf
    judge: Judge | None = None
    clock: Clock = field(default_factory=StillClock)
    has_meaning: bool = True
    has_graph: bool = True

    def ports(self) -> Ports:
        return Ports(
            words=self.words,
            shelf=self.shelf,
            clock=self.clock,
            vectors=self.vectors if self.has_meaning else None,
            embedder=self.embedder if self.has_meaning else None,
            graph=self.graph if self.has_graph else None,
            slugs=self.slugs,
            judge=self.judge,
        )

    def ask(
        self, recipe: Recipe, text: str = "query", scope: Scope = EVERYTHING, **rest: Any
    ) -> Answer:
        return ask(Query(text, scope, NOW, **rest), recipe, self.ports())


def scene(
    notes: Iterable[Note],
    *,
    words: Sequence[Hit] = (),
    meaning: Sequence[Hit] = (),
    links: Sequence[Hit] = (),
    recent: Sequence[str] | None = None,
    **rest: Any,
) -> Scene:
    """A scene in which the legs answer as given; the pool, if a recipe has one, is what meaning knows."""
    store = memory_store()
    put(store, *notes)
    known = [hit.note_id for hit in meaning] if recent is None else recent
    return Scene(
        store=store,
        words=SaidWords(says=words),
        vectors=SaidVectors(says=meaning, recent=known),
        graph=SaidGraph(says=links),
        slugs=SaidSlugs(),
        embedder=OneVector(),
        shelf=CountingShelf(store.shelf),
        **rest,
    )
