"""Passages, questions and their vectors to measure with: real ones from a folder, else generated.

The same folder, size and seed give the same corpus. Where more passages are wanted than there are,
the rest are made of halves of two real ones. Vectors are read from `--vectors` if given (a model's,
one row for each passage and question in reading order); else each is the weighted sum of one random
direction for each of its words, which is near to nothing a model would say, but near to its words.
"""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.peers.peer import Batch, Matrix, words

DIMENSIONS = 384
_SEED = 7
_GENERATED = 20_000
_VOCABULARY = 50_000
_BATCH = 2_000
_BLUR = 0.5  # length of the noise added to a made passage's vector


class Corpus(NamedTuple):
    texts: list[str]
    vectors: Matrix
    questions: list[str]
    question_vectors: Matrix

    def batches(self) -> Iterator[Batch]:
        for start in range(0, len(self.texts), _BATCH):
            part = slice(start, start + _BATCH)
            yield Batch(start, self.texts[part], self.vectors[part])


def corpus(data: Path | None, vectors: Path | None, size: int, questions: int) -> Corpus:
    texts, asked = read(data) if data else _generated()
    if vectors:
        known, of_questions = np.load(vectors / "passages.npy"), np.load(vectors / "questions.npy")
        if (len(known), len(of_questions)) != (len(texts), len(asked)):
            raise SystemExit(
                f"{vectors}: {len(known)} and {len(of_questions)} vectors for {len(texts)} "
                f"passages and {len(asked)} questions; embed what bench.peers.corpus.read returns"
            )
    else:
        known, of_questions = _directions(texts, asked)
    return _sized(texts, known, asked, of_questions, size, questions)


def read(data: Path) -> tuple[list[str], list[str]]:
    """Texts and questions of a folder in BEIR's layout, or of all such folders in a folder."""
    found = sorted([*data.glob("corpus.jsonl*"), *data.glob("*/corpus.jsonl*")])
    if not found:
        raise SystemExit(f"{data}: no corpus.jsonl or corpus.jsonl.gz in it or one level below")
    texts = [_text(line) for path in found for line in _lines(path)]
    asked = [line["text"] for path in found for line in _lines(path.parent / "queries.jsonl")]
    return texts, asked


def _text(line: dict[str, str]) -> str:
    return f"{line.get('title', '')} {line['text']}".strip()


def _lines(path: Path) -> Iterator[dict[str, str]]:
    opening = gzip.open if path.suffix == ".gz" else open
    with opening(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def _generated() -> tuple[list[str], list[str]]:
    """Words as frequent as Zipf has them; a question has a few of a passage and frequent ones."""
    random = np.random.default_rng(_SEED)
    lengths = random.integers(10, 150, _GENERATED)
    texts = [_zipf(random, int(length)) for length in lengths]
    picked = random.integers(0, _GENERATED, 1_000)
    asked = [f"{_zipf(random, 5)} {' '.join(texts[number].split()[:6])}" for number in picked]
    return texts, asked


def _zipf(random: np.random.Generator, length: int) -> str:
    return " ".join(f"w{number}" for number in random.zipf(1.2, length).clip(max=_VOCABULARY))


def _directions(texts: list[str], asked: list[str]) -> tuple[Matrix, Matrix]:
    holding = Counter(word for text in texts for word in set(words(text)))
    numbers = {word: number for number, word in enumerate(holding)}
    random = np.random.default_rng(_SEED)
    directions = random.standard_normal((len(numbers), DIMENSIONS), np.float32)
    rarity = np.log1p(len(texts) / np.array(list(holding.values()), np.float32))
    weighted = directions * rarity[:, np.newaxis]

    def vector(text: str) -> Matrix:
        known = [numbers[word] for word in words(text) if word in numbers]
        return np.asarray(weighted[known].sum(axis=0), np.float32)

    return _unit(np.stack([*map(vector, texts)])), _unit(np.stack([*map(vector, asked)]))


def _sized(
    texts: list[str],
    vectors: Matrix,
    asked: list[str],
    asked_vectors: Matrix,
    size: int,
    count: int,
) -> Corpus:
    random = np.random.default_rng(_SEED)
    order = random.permutation(len(texts))[:size]
    chosen = random.permutation(len(asked))[:count]
    left, right = random.integers(0, len(texts), (2, size - len(order)))
    blur = random.standard_normal((len(left), vectors.shape[1]), np.float32)
    blur *= _BLUR / np.sqrt(vectors.shape[1])
    made = _unit(vectors[left] + vectors[right]) + blur
    return Corpus(
        [texts[at] for at in order]
        + [_halves(texts[a], texts[b]) for a, b in zip(left, right, strict=True)],
        _unit(np.concatenate((vectors[order], made))),
        [asked[at] for at in chosen],
        _unit(asked_vectors[chosen]),
    )


def _halves(first: str, second: str) -> str:
    return f"{first[: len(first) // 2]} {second[len(second) // 2 :]}"


def _unit(vectors: Matrix) -> Matrix:
    sound = np.nan_to_num(vectors)
    lengths = np.linalg.norm(sound, axis=1, keepdims=True)
    return (sound / np.where(lengths > 0, lengths, 1)).astype(np.float32)
