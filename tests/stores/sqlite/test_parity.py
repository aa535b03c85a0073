"""Whatever is stored and asked, the file answers as the reference store does: hits, order, scores."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.building import NOW, days_ago, note

from recollect.engine.learn import document_of
from recollect.model.note import Document, Link, Passage
from recollect.model.query import Scope
from recollect.model.tree import And, Bag, But, In, Node, Or, Phrase, Prefix, Word
from recollect.ports import Store, Vector
from recollect.retrieve.words import tokens
from recollect.stores.memory import memory_store
from recollect.stores.sqlite import sqlite_store

MANY = settings(
    max_examples=120,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

WORDS = [
    *"run running runs runner general generalize generously univers universe café 12".split(),
    *"猫 猫が好き 機械学習 ไทย भाषा".split(),
]
SPOKEN = sorted({token for word in WORDS for token in tokens(word)} | {"猫", "学", "ru", "gen"})
NAMES = ["a", "b", "c", "d", "e", "f"]

texts = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
leaves: st.SearchStrategy[Node] = st.one_of(
    st.builds(Word, st.sampled_from(SPOKEN)),
    st.builds(Prefix, st.sampled_from(SPOKEN)),
    st.builds(Phrase, st.lists(st.sampled_from(SPOKEN), min_size=1, max_size=3).map(tuple)),
)
bags = st.lists(st.builds(Word, st.sampled_from(SPOKEN)), min_size=1, max_size=5).map(
    lambda words: Or(tuple(words))
)


def _grown(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    several = st.lists(children, min_size=1, max_size=3).map(tuple)
    return st.one_of(
        st.builds(And, several),
        st.builds(Or, several),
        st.builds(Bag, several),
        st.builds(But, children, children),
        st.builds(In, st.sampled_from(["title", "path", "tag", "text"]), children),
    )


trees = st.one_of(bags, st.recursive(leaves, _grown, max_leaves=8))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    name = draw(st.sampled_from(NAMES))
    whole = note(
        name,
        draw(texts),
        title=draw(texts),
        path=draw(st.sampled_from(["", "x.md", f"runs/{name}.md", "猫/running.md"])),
        space=draw(st.sampled_from(["home", "home", "elsewhere"])),
        tags=tuple(draw(st.sets(st.sampled_from(["run", "universe", "x y"])))),
        session=draw(st.none() | st.sampled_from(["s1", "s2"])),
        project=draw(st.none() | st.just("p")),
        links=tuple(
            Link(target, draw(st.sampled_from(["see-also", "supersedes"])))
            for target in draw(st.lists(st.sampled_from(NAMES), max_size=3))
        ),
    )
    passages = tuple(
        Passage(f"{name}#{at}", name, draw(texts), heading=tuple(draw(st.lists(texts, max_size=1))))
        for at in range(draw(st.integers(1, 3)))
    )
    return document_of(whole, passages)


scopes = st.builds(
    lambda spaces, sessions, projects, tags, since, excluded: Scope.of(
        *spaces, sessions=sessions, projects=projects, tags=tags, since=since, excluded=excluded
    ),
    st.sets(st.sampled_from(["home", "elsewhere"]), min_size=1),
    st.none() | st.none() | st.sets(st.sampled_from(["s1", "s2"])),
    st.none() | st.none() | st.sets(st.sampled_from(["p", "q"])),
    st.sets(st.sampled_from(["run"])),
    st.none() | st.just(days_ago(150)),
    st.sets(st.sampled_from(NAMES), max_size=2),
)


@dataclass
class Pair:
    """The same story told to both stores."""

    file: Store
    reference: Store

    def __iter__(self) -> Iterator[Store]:
        return iter((self.file, self.reference))


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with sqlite_store(tmp_path_factory.mktemp("parity") / "store.db") as opened:
        yield Pair(opened.store, memory_store())


@MANY
@given(
    written=st.lists(documents(), max_size=8),
    removed=st.sets(st.sampled_from(NAMES), max_size=2),
    query=trees,
    scope=scopes,
    depth=st.sampled_from([1, 2, 3, 50]),
)
def test_words_are_found_in_the_same_order_with_the_same_scores(
    pair: Pair, written: list[Document], removed: set[str], query: Node, scope: Scope, depth: int
) -> None:
    for store in pair:
        store.writer.put(written)
        store.writer.remove(removed)
    found, expected = (list(store.words.find(query, scope, depth)) for store in pair)
    assert found == expected  # to the last bit of every score
    assert pair.file.words.containing(query, NAMES) == pair.reference.words.containing(query, NAMES)


@MANY
@given(written=st.lists(documents(), max_size=8), scope=scopes, depth=st.sampled_from([1, 3, 50]))
def test_links_facts_and_slugs_are_the_same(
    pair: Pair, written: list[Document], scope: Scope, depth: int
) -> None:
    for store in pair:
        store.writer.put(written)
        store.sessions.open_session("home", "s1", "q")
    file, reference = pair
    assert file.graph
    assert reference.graph
    seeds = {"a": 1.0, "b": 0.3, "nobody": 9.0}
    assert file.graph.neighbours(seeds, scope, depth) == reference.graph.neighbours(
        seeds, scope, depth
    )
    words = ["running", "b"]
    assert file.slugs.resembling(words, scope, depth) == reference.slugs.resembling(
        words, scope, depth
    )
    assert file.shelf.facts(NAMES) == reference.shelf.facts(NAMES)
    assert file.shelf.notes(NAMES) == reference.shelf.notes(NAMES)
    passages = [f"{name}#{at}" for name in NAMES for at in range(3)]
    assert file.shelf.passages(passages) == reference.shelf.passages(passages)


def _direction(seed: int) -> Vector:
    made = np.random.default_rng(seed).normal(size=16).astype(np.float32)
    unit: Vector = made / np.linalg.norm(made)
    return unit


@MANY
@given(
    written=st.lists(documents(), max_size=6),
    removed=st.sets(st.sampled_from(NAMES), max_size=1),
    embedded=st.sets(st.sampled_from([f"{name}#{at}" for name in NAMES for at in range(3)])),
    shown=st.lists(st.sampled_from(NAMES), max_size=3),
    seed=st.integers(0, 9),
    scope=scopes,
    depth=st.sampled_from([1, 3, 50]),
)
def test_vectors_are_found_in_the_same_order(
    pair: Pair,
    written: list[Document],
    removed: set[str],
    embedded: set[str],
    shown: list[str],
    seed: int,
    scope: Scope,
    depth: int,
) -> None:
    vectors = {one: _direction(seed + at) for at, one in enumerate(sorted(embedded))}
    for store in pair:
        assert store.vector_writer
        store.writer.put(written)
        store.writer.remove(removed)
        store.vector_writer.without_vector("m", 100)  # who embeds has read what there is now
        store.vector_writer.put_vectors("m", vectors)
        store.usage.shown(shown, NOW)
    query = _direction(5)
    (found, alike, pool), (found_too, alike_too, pool_too) = (
        (
            store.vectors.nearest("m", query, scope, depth),
            store.vectors.similarities("m", query, NAMES),
            store.vectors.recently_accessed("m", scope, depth),
        )
        for store in pair
        if store.vectors
    )
    for hits, expected in ((found, found_too), (alike, alike_too)):
        assert [hit.passage_id for hit in hits] == [hit.passage_id for hit in expected]
        assert [h.score for h in hits] == pytest.approx([h.score for h in expected], abs=1e-6)
    assert list(pool) == list(pool_too)
    waiting, expected_waiting = (
        {passage.id for passage in store.vector_writer.without_vector("m", 100)}
        for store in pair
        if store.vector_writer
    )
    assert waiting == expected_waiting


def test_a_file_opened_again_answers_the_same() -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        with sqlite_store(path) as opened:
            opened.store.writer.put([document_of(note("a", "running late"))])
            before = opened.store.words.find(Word("run"), Scope.of("home"), 5)
        with sqlite_store(path) as opened:
            assert opened.store.words.find(Word("run"), Scope.of("home"), 5) == before != []


def test_a_moved_passage_keeps_its_vector_and_its_place(pair: Pair) -> None:
    first, second = Passage("m#0", "m", "one"), Passage("m#1", "m", "two")
    for store in pair:
        assert store.vector_writer
        store.writer.put([document_of(note("m"), (first, second))])
        store.vector_writer.put_vectors("m", {"m#0": _direction(1), "m#1": _direction(2)})
        store.writer.put([document_of(note("m"), (second, replace(first, text="changed")))])
        assert store.shelf.facts(["m"])["m"].lead_passage == "m#1"
        assert "m#0" in {one.id for one in store.vector_writer.without_vector("m", 100)}
