"""The words index: BM25 to the letter, whatever was added, replaced, removed, merged or hidden."""

import math
import multiprocessing
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.model.errors import BadInput
from recollect.stores.sqlite import bm25
from recollect.stores.sqlite.impact import K1, B, ImpactIndex
from recollect.stores.sqlite.segment import Damaged

Passages = dict[int, Mapping[str, float]]

WORDS = [f"w{number}" for number in range(12)]
counted = st.dictionaries(
    st.sampled_from(WORDS), st.sampled_from([1.0, 2.0, 2.5, 7.0, 300.0]), max_size=8
)
row_numbers = st.integers(0, 60)
passages = st.dictionaries(row_numbers, counted, max_size=40)
queries = st.dictionaries(
    st.sampled_from([*WORDS, "nowhere"]), st.sampled_from([0.5, 1.0, 2.0]), max_size=6
)
scopes = st.none() | st.sets(row_numbers)


def length(terms: Mapping[str, float]) -> float:
    return sum(terms.values())


def put(index: ImpactIndex, texts: Passages) -> None:
    index.add(list(texts), list(texts.values()), [length(terms) for terms in texts.values()])


def built(directory: Path, texts: Passages) -> ImpactIndex:
    index = ImpactIndex.open(directory, "test")
    put(index, texts)
    return index


def brute_force(texts: Passages, query: Mapping[str, float]) -> dict[int, float]:
    """BM25 as the paper writes it."""
    mean = (sum(map(length, texts.values())) / len(texts) if texts else 0) or 1
    holding = Counter(term for terms in texts.values() for term in terms)
    scores = {}
    for row, terms in texts.items():
        norm = K1 * (1 - B + B * length(terms) / mean)
        parts = [
            weight
            * math.log1p((len(texts) - holding[term] + 0.5) / (holding[term] + 0.5))
            * (terms[term] * (K1 + 1) / (terms[term] + norm))
            for term, weight in query.items()
            if term in terms
        ]
        if parts:
            scores[row] = math.fsum(parts)
    return scores


def answer(
    index: ImpactIndex, query: Mapping[str, float], depth: int, allowed: set[int] | None = None
) -> list[tuple[int, float]]:
    rows = None if allowed is None else np.array(sorted(allowed), np.int64)
    found, scores = index.search(query, depth, rows)
    return list(zip(found.tolist(), scores.tolist(), strict=True))


def assert_is_bm25(
    found: Sequence[tuple[int, float]], expected: Mapping[int, float], depth: int
) -> None:
    """The right scores in the right order; which of nearly equal ones comes first is open."""
    assert len(found) == min(depth, len(expected))
    assert len({row for row, _ in found}) == len(found)
    best = sorted(expected.values(), reverse=True)
    for (row, score), wanted in zip(found, best, strict=False):
        assert score == pytest.approx(expected[row], rel=1e-5)
        assert score == pytest.approx(wanted, rel=1e-5)


@settings(max_examples=200, deadline=None)
@given(passages, queries, st.integers(1, 50), scopes)
def test_scores_are_those_of_bm25(
    texts: Passages, query: dict[str, float], depth: int, scope: set[int] | None
) -> None:
    with TemporaryDirectory() as directory:
        found = answer(built(Path(directory), texts), query, depth, scope)
    expected = brute_force(texts, query)
    seen = {row: score for row, score in expected.items() if scope is None or row in scope}
    assert_is_bm25(found, seen, depth)
    assert found == sorted(found, key=lambda hit: (-hit[1], hit[0]))


steps = st.lists(
    st.one_of(
        st.tuples(st.just("add"), passages),
        st.tuples(st.just("remove"), st.sets(row_numbers, max_size=20)),
        st.tuples(st.just("publish"), st.none()),
        st.tuples(st.just("reopen"), st.none()),
        st.tuples(st.just("search"), st.none()),
    ),
    max_size=12,
)


@settings(max_examples=150, deadline=None)
@given(steps, queries, scopes)
def test_any_history_gives_the_scores_of_a_fresh_build_to_the_last_bit(
    history: list[tuple[str, object]], query: dict[str, float], scope: set[int] | None
) -> None:
    texts: Passages = {}
    with TemporaryDirectory() as directory, TemporaryDirectory() as other:
        index = ImpactIndex.open(Path(directory), "test")
        for step, what in history:
            if step == "add":
                assert isinstance(what, dict)
                put(index, what)
                texts.update(what)
            elif step == "remove":
                assert isinstance(what, set)
                assert index.remove(sorted(what)) == len(what & texts.keys())
                texts = {row: terms for row, terms in texts.items() if row not in what}
            elif step == "search":
                answer(index, query, 3)
            else:
                assert index.publish()
                if step == "reopen":
                    index = ImpactIndex.open(Path(directory), "test")
        assert len(index) == len(texts)
        assert index.verify() == []
        fresh = built(Path(other), texts)
        assert answer(index, query, 50, scope) == answer(fresh, query, 50, scope)


def zipf_passages(count: int, seed: int) -> Passages:
    """Many passages with a few words that are in nearly all of them."""
    random = np.random.default_rng(seed)
    drawn = random.zipf(1.3, (count, 30)).clip(max=5_000)
    return {
        row: {f"t{term}": float(often) for term, often in Counter(words.tolist()).items()}
        for row, words in enumerate(drawn)
    }


def test_pruning_changes_neither_rows_nor_scores(tmp_path: Path) -> None:
    texts = zipf_passages(20_000, seed=1)
    index = built(tmp_path, texts)
    pruned = 0
    for seed in range(40):
        random = np.random.default_rng(seed)
        query = {f"t{term}": 1.0 for term in [1, 2, 3, 5, *random.integers(20, 4_000, 4)]}
        everything = answer(index, query, len(texts))
        for depth in (1, 10, 100):
            assert answer(index, query, depth) == everything[:depth]
        pruned += _prunes(index, query)
    assert pruned > 20


def _prunes(index: ImpactIndex, query: Mapping[str, float]) -> bool:
    """Whether so few passages are returned by a part that most were never looked at."""
    known = index._statistics()
    for part, clauses in index._clauses(known, query):
        lists = index._lists(part, known.mean)
        positions, _ = bm25.best(lists, clauses, 10, None, np.float32(0))
        return len(positions) < 100
    return False


def test_a_mask_and_a_list_of_rows_mean_the_same(tmp_path: Path) -> None:
    texts = zipf_passages(3_000, seed=2)
    index = built(tmp_path, texts)
    index.remove(range(0, 3_000, 7))
    for share in (0.001, 0.05, 0.5, 1.0):
        mask = np.random.default_rng(3).random(2_500) < share
        query = {"t1": 1.0, "t2": 1.0, "t40": 1.0}
        masked = index.search(query, 20, mask)
        listed = index.search(query, 20, np.flatnonzero(mask))
        assert masked[0].tolist() == listed[0].tolist()
        assert masked[1].tolist() == listed[1].tolist()


def test_a_narrow_scope_never_starves(tmp_path: Path) -> None:
    texts = zipf_passages(5_000, seed=4)
    texts[4_999] = {"t1": 1.0, "filler": 400.0}
    index = built(tmp_path, texts)
    assert [row for row, _ in answer(index, {"t1": 1.0}, 10, {4_999})] == [4_999]


def test_ties_come_by_row_whatever_the_order_of_adding(tmp_path: Path) -> None:
    index = ImpactIndex.open(tmp_path, "test")
    for row in (9, 2, 30, 4):
        put(index, {row: {"same": 1.0}})
        index.publish()
    assert [row for row, _ in answer(index, {"same": 1.0}, 3)] == [2, 4, 9]


def test_no_terms_and_no_passages_find_nothing(tmp_path: Path) -> None:
    index = ImpactIndex.open(tmp_path, "test")
    assert answer(index, {"word": 1.0}, 10) == []
    put(index, {1: {}})
    assert answer(index, {"word": 1.0}, 10) == []
    assert answer(index, {}, 10) == []


@pytest.mark.parametrize("count", [0.0, -1.0, math.nan, math.inf])
def test_a_count_that_means_nothing_is_refused(tmp_path: Path, count: float) -> None:
    index = ImpactIndex.open(tmp_path, "test")
    with pytest.raises(BadInput, match="term count"):
        index.add([1], [{"word": count}], [1.0])
    assert answer(index, {"word": 1.0}, 10) == []


def test_another_process_sees_what_was_published_on_its_next_search(tmp_path: Path) -> None:
    writer, reader = ImpactIndex.open(tmp_path, "test"), ImpactIndex.open(tmp_path, "test")
    put(writer, {1: {"word": 1.0}})
    assert answer(reader, {"word": 1.0}, 10) == []
    writer.advance(7)
    writer.publish()
    assert [row for row, _ in answer(reader, {"word": 1.0}, 10)] == [1]
    assert reader.mark == 7


def test_a_reader_that_is_further_keeps_what_it_has(tmp_path: Path) -> None:
    writer, reader = ImpactIndex.open(tmp_path, "test"), ImpactIndex.open(tmp_path, "test")
    put(reader, {1: {"word": 1.0}, 2: {"word": 1.0}})
    reader.advance(2)
    put(writer, {1: {"word": 1.0}})
    writer.advance(1)
    writer.publish()
    assert [row for row, _ in answer(reader, {"word": 1.0}, 10)] == [1, 2]
    assert reader.mark == 2


def test_the_second_of_two_writers_is_told_to_catch_up(tmp_path: Path) -> None:
    first, second = ImpactIndex.open(tmp_path, "test"), ImpactIndex.open(tmp_path, "test")
    put(first, {1: {"word": 1.0}})
    put(second, {2: {"word": 1.0}})
    first.advance(1)
    second.advance(2)
    assert first.publish()
    assert not second.publish()
    assert second.mark == 1
    put(second, {2: {"word": 1.0}})
    second.advance(2)
    assert second.publish()
    assert [row for row, _ in answer(first, {"word": 1.0}, 10)] == [1, 2]


def test_a_reader_is_undisturbed_while_the_writer_merges_everything_away(tmp_path: Path) -> None:
    writer = ImpactIndex.open(tmp_path, "test")
    put(writer, {row: {"word": 1.0} for row in range(5)})
    writer.publish()
    reader = ImpactIndex.open(tmp_path, "test")
    parts = reader._layers.parts
    for row in range(5, 60):
        put(writer, {row: {"word": 1.0}})
        writer.publish()
    assert parts[0].arrays["lengths"].tolist() == [1.0] * 5
    assert len(answer(reader, {"word": 1.0}, 100)) == 60
    assert len(list(tmp_path.glob("*.segment"))) < 10


@pytest.mark.parametrize("harm", ["cut", "tail", "missing", "manifest", "manifest-bytes"])
def test_harm_is_noticed_on_opening_and_repaired_by_building_again(
    tmp_path: Path, harm: str
) -> None:
    index = built(tmp_path, {1: {"word": 1.0}})
    index.advance(5)
    index.publish()
    _harm(tmp_path, harm)
    opened = ImpactIndex.open(tmp_path, "test")
    assert opened.problem
    assert str(tmp_path) in opened.problem
    assert opened.mark == 0
    assert len(opened) == 0
    assert opened.verify() != []
    put(opened, {1: {"word": 1.0}})
    opened.advance(5)
    assert opened.publish()
    assert opened.problem is None
    again = ImpactIndex.open(tmp_path, "test")
    assert again.verify() == []
    assert again.problem is None
    assert [row for row, _ in answer(again, {"word": 1.0}, 10)] == [1]


def _harm(directory: Path, harm: str) -> None:
    path = next(directory.glob("*.segment"))
    content = path.read_bytes()
    manifest = directory / "MANIFEST"
    if harm == "cut":
        path.write_bytes(content[:-10])
    elif harm == "tail":
        path.write_bytes(content[:-40] + b"?" + content[-39:])
    elif harm == "missing":
        path.unlink()
    elif harm == "manifest":
        manifest.write_text(manifest.read_text().replace('"mark": 5', '"mark": 6'))
    else:
        manifest.write_bytes(b"\xff\xfe\x00")


def test_a_flipped_bit_in_the_middle_is_found_by_reading_everything(tmp_path: Path) -> None:
    index = built(tmp_path, {row: {"word": 1.0} for row in range(100)})
    index.publish()
    path = next(tmp_path.glob("*.segment"))
    content = bytearray(path.read_bytes())
    content[3] ^= 1
    path.write_bytes(content)
    (problem,) = ImpactIndex.open(tmp_path, "test").verify()
    assert "rows" in problem


def test_a_search_that_meets_harm_says_so_and_a_reset_repairs_it(tmp_path: Path) -> None:
    texts: Passages = {row: {"word": 1.0} for row in range(100)}
    built(tmp_path, texts).publish()
    path = next(tmp_path.glob("*.segment"))
    content = path.read_bytes()
    last = np.uint32(99).tobytes()
    before, after = content.rsplit(last, 1)  # the position of the last passage, made absurd
    path.write_bytes(before + np.uint32(2**31).tobytes() + after)
    index = ImpactIndex.open(tmp_path, "test")
    assert index.problem is None
    with pytest.raises(Damaged, match="build it again"):
        answer(index, {"word": 1.0}, 10)
    index.reset()
    put(index, texts)
    assert index.publish()
    assert index.verify() == []
    assert len(answer(index, {"word": 1.0}, 10)) == 10


def test_an_index_of_another_source_is_not_used(tmp_path: Path) -> None:
    index = built(tmp_path, {1: {"word": 1.0}})
    index.publish()
    other = ImpactIndex.open(tmp_path, "another")
    assert len(other) == 0
    assert other.problem
    assert "'another'" in other.problem
    put(other, {2: {"word": 1.0}})
    assert other.publish()


def _write_and_catch_up(directory: Path) -> None:
    """What a store does: write its own file, then bring the index up to it and publish."""
    index = ImpactIndex.open(directory / "index", "test")
    with closing(sqlite3.connect(directory / "file", timeout=60, isolation_level=None)) as file:
        for _ in range(20):
            file.execute("INSERT INTO passage DEFAULT VALUES")
            _catch_up(index, file)
            index.publish()
        while index.mark < 80 or not index.publish():
            _catch_up(index, file)


def _catch_up(index: ImpactIndex, file: sqlite3.Connection) -> None:
    with index.catching_up() as mark:
        rows = [row for (row,) in file.execute("SELECT row FROM passage WHERE row > ?", (mark,))]
        put(index, {row: {"word": 1.0} for row in rows})
        index.advance(max(rows, default=mark))


def test_four_processes_writing_at_once_lose_nothing(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "file")) as file:
        file.execute("CREATE TABLE passage (row INTEGER PRIMARY KEY)")
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=_write_and_catch_up, args=(tmp_path,)) for _ in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert [writer.exitcode for writer in writers] == [0] * 4
    index = ImpactIndex.open(tmp_path / "index", "test")
    assert index.mark == 80
    found = [row for row, _ in answer(index, {"word": 1.0}, 100)]
    assert found == list(range(1, 81))
    assert index.verify() == []
