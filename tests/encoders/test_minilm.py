"""all-MiniLM-L6-v2 as installed, against its own weights worked through in plain numpy."""

from concurrent.futures import ThreadPoolExecutor
from math import erf
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from recollect.encoders.cache import minilm_folder
from recollect.encoders.install import PACKAGE, WEIGHTS
from recollect.encoders.minilm import LONGEST, MiniLM
from recollect.encoders.package_files import package_files
from recollect.encoders.session import Session
from recollect.encoders.weights import tensors

TEXTS = [
    "This is an example sentence",
    "Each sentence is converted",
    "x",
    "Größe, naïveté & 東京: a sentence with marks, accents and other scripts.",
    "A long text goes on and on, well past the limit of what is read. " * 30,
]

Floats = NDArray[np.float32]


class ByHand:
    """The published arithmetic of BERT, one text at a time, with nothing clever in it."""

    def __init__(self, weights: Path) -> None:
        self.weights = tensors(weights)

    def vector(self, ids: list[int]) -> Floats:
        w = self.weights
        hidden = (
            w["embeddings.word_embeddings.weight"][ids]
            + w["embeddings.position_embeddings.weight"][: len(ids)]
            + w["embeddings.token_type_embeddings.weight"][0]
        )
        hidden = self.norm("embeddings.LayerNorm", hidden)
        for layer in range(6):
            hidden = self.layer(f"encoder.layer.{layer}", hidden)
        mean: Floats = hidden.mean(axis=0)
        return mean / np.linalg.norm(mean)

    def layer(self, name: str, hidden: Floats) -> Floats:
        attended = self.attention(f"{name}.attention", hidden)
        hidden = self.norm(f"{name}.attention.output.LayerNorm", attended + hidden)
        wide = self.linear(f"{name}.intermediate.dense", hidden)
        gelu = wide * 0.5 * (1 + np.vectorize(erf)(wide / np.sqrt(2)))
        return self.norm(
            f"{name}.output.LayerNorm", self.linear(f"{name}.output.dense", gelu) + hidden
        )

    def attention(self, name: str, hidden: Floats) -> Floats:
        q, k, v = (self.linear(f"{name}.self.{part}", hidden) for part in ("query", "key", "value"))
        mixed = np.empty_like(hidden)
        for head in range(12):
            part = slice(head * 32, (head + 1) * 32)
            scores = np.exp(q[:, part] @ k[:, part].T / np.sqrt(32))
            mixed[:, part] = scores / scores.sum(axis=1, keepdims=True) @ v[:, part]
        return self.linear(f"{name}.output.dense", mixed)

    def linear(self, name: str, hidden: Floats) -> Floats:
        result: Floats = hidden @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
        return result

    def norm(self, name: str, hidden: Floats) -> Floats:
        centred = hidden - hidden.mean(axis=1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-12)
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        result: Floats = centred / spread * weight + bias
        return result


@pytest.fixture(scope="module")
def expected(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Floats:
    work = tmp_path_factory.mktemp("weights")
    by_hand = ByHand(package_files(PACKAGE, work) / "model" / WEIGHTS)
    tokens = Session(minilm_folder(cache) / "float32", LONGEST).tokens(TEXTS)
    return np.array([by_hand.vector(each.ids) for each in tokens])


@pytest.fixture(scope="session")
def int8(cache: Path) -> MiniLM:
    return MiniLM(cache, "int8")


def test_the_graph_computes_what_the_weights_say(minilm: MiniLM, expected: Floats) -> None:
    assert np.allclose(minilm.embed(TEXTS), expected, atol=2e-6)


def test_int8_stays_near_the_exact_vectors(int8: MiniLM, expected: Floats) -> None:
    assert ((int8.embed(TEXTS) * expected).sum(axis=1) > 0.97).all()


def test_each_precision_has_its_own_identity(minilm: MiniLM, int8: MiniLM) -> None:
    assert minilm.identity != int8.identity
    assert minilm.embed(["a"]).shape == (1, minilm.dimensions)


@pytest.mark.parametrize(
    ("query", "near", "far"),
    [
        ("forgotten login", "How do I reset my password?", "Whales sing in the deep sea."),
        ("heart attack", "myocardial infarction", "panic in the stock market"),
        ("a fast car", "an automobile of great speed", "a slow-cooked meal"),
    ],
)
def test_meaning_is_nearer_than_chance(minilm: MiniLM, query: str, near: str, far: str) -> None:
    one, other, third = minilm.embed([query, near, far])
    assert one @ other > one @ third + 0.2


@pytest.mark.parametrize("text", ["", "   \n", "\x00\x01"])
def test_a_text_of_nothing_is_the_zero_vector(minilm: MiniLM, text: str) -> None:
    vectors = minilm.embed(["something", text])
    assert vectors[0].any()
    assert not vectors[1].any()


def test_no_texts_are_no_rows(minilm: MiniLM) -> None:
    assert minilm.embed([]).shape == (0, 384)


def test_the_same_batch_gives_the_same_bits(minilm: MiniLM) -> None:
    assert np.array_equal(minilm.embed(TEXTS * 5), minilm.embed(TEXTS * 5))


def test_company_changes_a_vector_by_rounding_only(minilm: MiniLM) -> None:
    alone = np.vstack([minilm.embed([text]) for text in TEXTS])
    assert np.allclose(minilm.embed(TEXTS), alone, atol=1e-6)


def test_company_changes_no_bit_of_an_int8_vector(int8: MiniLM) -> None:
    alone = np.vstack([int8.embed([text]) for text in TEXTS])
    assert np.array_equal(int8.embed(TEXTS), alone)


def test_what_follows_the_longest_text_is_not_read(minilm: MiniLM) -> None:
    start = "word " * LONGEST
    one, other = minilm.embed([start + "cats", start + "quantum physics"])
    assert np.array_equal(one, other)


def test_progress_grows_to_the_total_and_no_slice_is_misplaced(minilm: MiniLM) -> None:
    seen: list[tuple[int, int]] = []
    texts = [f"number {n}" for n in range(300)]
    vectors = minilm.embed(texts, lambda done, total: seen.append((done, total)))
    assert seen == [(256, 300), (300, 300)]
    assert np.allclose(vectors[299], minilm.embed(["number 299"])[0], atol=1e-6)


def test_threads_share_one_model(cache: Path) -> None:
    model = MiniLM(cache)
    with ThreadPoolExecutor(4) as pool:
        several = list(pool.map(lambda _: model.embed([TEXTS[0]])[0], range(8)))
    assert all(np.array_equal(several[0], each) for each in several)


def test_token_vectors_are_one_row_of_unit_length_a_token(minilm: MiniLM) -> None:
    rows, nothing = minilm.token_vectors(["red green", ""])
    assert rows.shape == (2, 384)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert nothing.shape == (0, 384)
