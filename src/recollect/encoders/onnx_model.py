"""A folder with any ONNX embedding model and its tokenizer in, an embedder out."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recollect.encoders.fingerprint import fingerprint
from recollect.encoders.loading import Lazily, Once
from recollect.encoders.progress import Progress, silent
from recollect.encoders.session import BUDGET, GRAPH, Group, Output, Session
from recollect.encoders.vectors import unit_rows
from recollect.model.errors import EncoderError

# a BERT's pooler output was trained for another task than comparing sentences
NOT_A_SENTENCE = "pooler_output"
SLICE = 256  # texts held as tokens at once, and between two reports of progress


class OnnxModel:
    """Loaded at first use. A text without a token of its own is the zero vector."""

    may_wait = False
    weak = False

    def __init__(self, folder: Path, longest: int = 256, budget: int = BUDGET) -> None:
        self._folder = folder
        self._longest = longest
        self._session = Lazily(lambda: Session(folder, longest, budget))

    def _find_identity(self) -> str:
        """The same files in another folder are the same model; other files never are."""
        return f"onnx-{fingerprint(self._folder)}-{self._longest}"

    identity = Once(_find_identity)

    def _find_dimensions(self) -> int:
        size = self._sentences.shape[-1]
        return size if size is not None else len(self._vectors(["a"])[0])

    dimensions = Once(_find_dimensions)

    def embed(self, texts: Sequence[str], progress: Progress = silent) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for start in range(0, len(texts), SLICE):
            part = texts[start : start + SLICE]
            for position, vector in self._vectors(part).items():
                rows[start + position] = vector
            progress(start + len(part), len(texts))
        return unit_rows(rows)

    def token_vectors(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """One row of unit length for each token of each text; the special ones are left out."""
        session, output = self._session(), self._tokens
        if output is None:
            raise EncoderError(f"{self._folder / GRAPH} gives no vectors of tokens to compare")
        encodings = session.tokens(texts)
        vectors = [np.zeros((0, self.dimensions), dtype=np.float32) for _ in texts]
        for group in session.run(encodings, output.name):
            for position, values in zip(group.positions, group.values, strict=True):
                special = np.array(encodings[position].special_tokens_mask, dtype=bool)
                vectors[position] = unit_rows(values[: len(special)][~special])
        return vectors

    def _vectors(self, texts: Sequence[str]) -> dict[int, NDArray[np.float32]]:
        """By position; a text of special tokens only has none."""
        session, output = self._session(), self._sentences
        encodings = session.tokens(texts)
        spoken = [n for n, each in enumerate(encodings) if not all(each.special_tokens_mask)]
        vectors = {}
        for group in session.run([encodings[n] for n in spoken], output.name):
            for position, vector in zip(group.positions, _pooled(group), strict=True):
                vectors[spoken[position]] = vector
        return vectors

    @property
    def _sentences(self) -> Output:
        outputs = self._session().outputs
        pooled = [each for each in outputs if _rank(each) == 2 and each.name != NOT_A_SENTENCE]
        tokens = [each for each in outputs if _rank(each) == 3]
        if not pooled + tokens:
            shapes = ", ".join(f"{each.name}{list(each.shape)}" for each in outputs)
            raise EncoderError(
                f"{self._folder / GRAPH} gives {shapes}; "
                "a vector for each text or for each token is needed"
            )
        return (pooled + tokens)[0]

    @property
    def _tokens(self) -> Output | None:
        return next((each for each in self._session().outputs if _rank(each) == 3), None)


def _rank(output: Output) -> int:
    return len(output.shape)


def _pooled(group: Group) -> NDArray[np.float32]:
    """The graph's own sentence vectors, or the mean of its tokens' where it has none."""
    if group.values.ndim == 2:
        return group.values
    real = group.mask[:, :, np.newaxis].astype(np.float32)
    mean: NDArray[np.float32] = (group.values * real).sum(axis=1) / real.sum(axis=1)
    return mean
