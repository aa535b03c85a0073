"""The vector index: cosines to the last bit, whatever was added, removed, merged or hidden."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from recollect.model.errors import BadInput
from recollect.stores.sqlite.codes import COMPARED, EXACT, CodeIndex

Matrix = NDArray[np.float32]
DIMENSIONS = 20


def vectors(count: int, seed: int, dimensions: int = DIMENSIONS) -> Matrix:
    return np.random.default_rng(seed).standard_normal((count, dimensions), np.float32)


def opened(directory: Path) -> CodeIndex:
    return CodeIndex.open(directory, DIMENSIONS, "test")


def nearest(stored: dict[int, Matrix], query: Matrix, depth: int) -> list[int]:
    """By comparing with all of them, in double precision."""

    def cosine(row: int) -> float:
        vector = stored[row].astype(float)
        length = float(np.linalg.norm(vector)) * float(np.linalg.norm(query.astype(float)))
        return float(vector @ query.astype(float)) / length if length else 0.0

    return sorted(stored, key=lambda row: (-round(cosine(row), 6), row))[:depth]


steps = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.sets(st.integers(0, 50), min_size=1, max_size=20)),
        st.tuples(st.just("remove"), st.sets(st.integers(0, 50), max_size=20)),
        st.tuples(st.just("publish"), st.just(set[int]())),
        st.tuples(st.just("reopen"), st.just(set[int]())),
    ),
    max_size=12,
)


@settings(max_examples=100, deadline=None)
@given(steps, st.none() | st.sets(st.integers(0, 50)), st.integers(0, 1_000))
def test_any_history_finds_the_nearest(
    history: list[tuple[str, set[int]]], scope: set[int] | None, seed: int
) -> None:
    stored: dict[int, Matrix] = {}
    with TemporaryDirectory() as directory:
        index = opened(Path(directory))
        for number, (step, rows) in enumerate(history):
            if step == "add":
                fresh = vectors(len(rows), seed + number)
                index.add(sorted(rows, reverse=True), fresh)
                stored.update(zip(sorted(rows, reverse=True), fresh, strict=True))
            elif step == "remove":
                assert index.remove(sorted(rows)) == len(rows & stored.keys())
                stored = {row: vector for row, vector in stored.items() if row not in rows}
            else:
                assert index.publish()
                index = opened(Path(directory)) if step == "reopen" else index
        query = vectors(1, seed + 99)[0]
        allowed = None if scope is None else np.array(sorted(scope), np.int64)
        found, similar = index.search(query, 10, allowed)
        seen = {row: stored[row] for row in stored if scope is None or row in scope}
        assert found.tolist() == nearest(seen, query, 10)
        again = index.similarities(query, found.tolist())
        assert dict(zip(*again, strict=True)) == dict(zip(found, similar, strict=True))
        assert index.verify() == []


@pytest.fixture(scope="module")
def clustered() -> Matrix:
    """Vectors that lie in clusters, as those of texts do."""
    centres = vectors(400, seed=1, dimensions=128)
    near = np.random.default_rng(2).integers(0, 400, 3 * EXACT // 2)
    return centres[near] + vectors(len(near), seed=3, dimensions=128)


@pytest.fixture(scope="module")
def large(clustered: Matrix, tmp_path_factory: pytest.TempPathFactory) -> CodeIndex:
    index = CodeIndex.open(tmp_path_factory.mktemp("large"), 128, "test")
    for start in range(0, len(clustered), 7_000):
        block = clustered[start : start + 7_000]
        index.add(range(start, start + len(block)), block)
    index.publish()
    return index


def test_many_rows_are_found_by_their_codes_nearly_as_well_as_by_comparing_all(
    large: CodeIndex, clustered: Matrix
) -> None:
    unit = clustered / np.linalg.norm(clustered, axis=1, keepdims=True)
    common = 0
    for query in clustered[::3_000] + 0.5 * vectors(10, seed=4, dimensions=128):
        exact = set(np.argsort(-(unit @ query))[:10].tolist())
        common += len(exact & set(large.search(query, 10)[0].tolist()))
    assert common >= 97


def test_a_similarity_is_one_number_however_it_is_found(
    large: CodeIndex, clustered: Matrix
) -> None:
    query = vectors(1, seed=5, dimensions=128)[0]
    rows, by_code = large.search(query, 50)
    narrow = large.search(query, 50, np.sort(rows))
    assert narrow[0].tolist() == rows.tolist()
    assert narrow[1].tolist() == by_code.tolist()
    alone = [large.similarities(query, [row])[1][0] for row in rows.tolist()]
    assert alone == by_code.tolist()


@pytest.mark.parametrize("share", [0.0001, 0.1, 0.9])
def test_a_scope_is_full_however_narrow_it_is(
    large: CodeIndex, clustered: Matrix, share: float
) -> None:
    mask = np.random.default_rng(6).random(len(clustered)) < share
    query = -clustered[0]
    found, _ = large.search(query, 20, mask)
    assert mask[found].all()
    assert len(found) == min(20, np.count_nonzero(mask))


def test_a_longer_answer_starts_with_the_shorter_one(large: CodeIndex, clustered: Matrix) -> None:
    longer = large.search(clustered[77], COMPARED // 10)[0]
    assert large.search(clustered[77], 10)[0].tolist() == longer[:10].tolist()


def test_equal_vectors_come_by_row(tmp_path: Path) -> None:
    index = opened(tmp_path)
    same = vectors(1, seed=7)
    for rows in ([40, 3], [25], [11, 8, 90]):
        index.add(rows, np.repeat(same, len(rows), axis=0))
        index.publish()
    found, similar = index.search(same[0], 10)
    assert found.tolist() == [3, 8, 11, 25, 40, 90]
    assert len(set(similar.tolist())) == 1


def test_a_zero_vector_is_like_nothing_and_harms_nothing(tmp_path: Path) -> None:
    index = opened(tmp_path)
    some = vectors(3, seed=8)
    index.add([1, 2, 3], np.stack((some[0], 0 * some[0], -some[0])))
    found, similar = index.search(some[0], 10)
    assert found.tolist() == [1, 2, 3]
    assert similar.tolist() == pytest.approx([1, 0, -1], abs=1e-6)
    assert index.search(0 * some[0], 10)[1].tolist() == [0, 0, 0]


def test_vectors_of_another_shape_or_without_a_value_are_refused(tmp_path: Path) -> None:
    index = opened(tmp_path)
    with pytest.raises(BadInput, match="20 dimensions"):
        index.add([1], vectors(1, seed=9, dimensions=21))
    with pytest.raises(BadInput, match="20 dimensions"):
        index.search(vectors(1, seed=9, dimensions=21)[0], 3)
    with pytest.raises(BadInput, match="NaN"):
        index.add([1], np.full((1, DIMENSIONS), np.nan, np.float32))
    assert len(index) == 0


def test_another_models_vectors_are_not_used(tmp_path: Path) -> None:
    index = opened(tmp_path)
    index.add([1], vectors(1, seed=10))
    index.publish()
    other = CodeIndex.open(tmp_path, DIMENSIONS, "another")
    assert len(other) == 0
    assert other.problem
    assert "another" in other.problem


def test_an_empty_index_finds_nothing(tmp_path: Path) -> None:
    index = opened(tmp_path)
    assert index.search(vectors(1, seed=11)[0], 5)[0].tolist() == []
    assert index.similarities(vectors(1, seed=11)[0], [1, 2])[0].tolist() == []
    assert index.publish()
