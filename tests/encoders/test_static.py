"""The static model that comes with the package."""

import json
import subprocess
import sys

import numpy as np
import pytest

from recollect.encoders.static import Static

TEXTS = [
    "How do I reset my password?",
    "The capital of France is Paris.",
    "我喜欢喝茶",
    "one",
    " ".join(["two words, then a much longer sentence that goes on for a while"] * 20),
]


@pytest.fixture(scope="module")
def static() -> Static:
    return Static()


def test_its_vectors_are_those_of_wordllama_s_own_code(static: Static) -> None:
    """In a process of its own: importing wordllama reconfigures logging."""
    script = (
        "import sys, json, pathlib, wordllama\n"
        "home = pathlib.Path(wordllama.__file__).parent\n"
        "model = wordllama.WordLlama.load(cache_dir=home, disable_download=True)\n"
        "print(json.dumps(model.embed(json.load(sys.stdin), norm=True).tolist()))\n"
    )
    done = subprocess.run(  # noqa: S603  # the script above
        [sys.executable, "-c", script],
        input=json.dumps(TEXTS),
        capture_output=True,
        text=True,
        check=True,
    )
    expected = np.array(json.loads(done.stdout))
    assert np.allclose(static.embed(TEXTS), expected, atol=1e-5)


def test_related_texts_are_nearer_than_unrelated_ones(static: Static) -> None:
    query, near, far = static.embed(
        ["forgotten login", "How do I reset my password?", "Whales sing in the deep sea."]
    )
    assert query @ near > query @ far + 0.1


@pytest.mark.parametrize("text", ["", " ", "\n\t "])
def test_an_empty_text_is_the_zero_vector(static: Static, text: str) -> None:
    assert not static.embed([text]).any()


def test_no_texts_are_no_rows(static: Static) -> None:
    assert static.embed([]).shape == (0, 256)


def test_a_text_gets_the_same_vector_alone_and_in_company(static: Static) -> None:
    together = static.embed(TEXTS)
    assert all(
        np.array_equal(static.embed([text])[0], row)
        for text, row in zip(TEXTS, together, strict=True)
    )


def test_progress_ends_at_the_total(static: Static) -> None:
    seen: list[tuple[int, int]] = []
    static.embed(["a word"] * 600, lambda done, total: seen.append((done, total)))
    assert seen == [(256, 600), (512, 600), (600, 600)]
