"""A folder with any ONNX embedding model and its tokenizer in, an embedder out."""

from collections.abc import Sequence
from functools import cached_property
from hashlib import file_digest
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recollect.encoders.loading import Lazily
from recollect.encoders.progress import Progress, silent
from recollect.encoders.session import BUDGET, GRAPH, TOKENIZER, Group, Output, Session
from recollect.encoders.vectors import unit_rows
from recollect.model.errors import EncoderError

# a BERT's pooler output was trained for another task than comparing sentences
NOT_A_SENTENCE = "pooler_output"


class OnnxModel:
    """Loaded at first use. A text without a token of its own is the zero vector."""

    may_wait = False
    weak = False

    def __init__(self, folder: Path, longest: int = 256, budget: int = BUDGET) -> None:
        self._folder = folder
        self._longest = longest
        self._session = Lazily(lambda: Session(folder, longest, budget))

    @cached_property
    def identity(self) -> str:
        """The same files in another folder are the same model; other files never are."""
        digests = [_digest(self._folder / name) for name in (GRAPH, TOKENIZER)]
        return f"onnx-{'-'.join(digests)}-{self._longest}"

    @cached_property
    def dimensions(self) -> int:
        size = self._sentences.shape[-1]
        return size if size is not None else int(self._vectors(["a"], silent)[0].shape[0])

    def embed(self, texts: Sequence[str], progress: Progress = silent) -> NDArray[np.float32]:
        vectors = self._vectors(texts, progress)
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for position, vector in vectors.items():
            rows[position] = vector
        return unit_rows(rows)

    def token_vectors(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """One row of unit length for each token of each text, the special ones among them."""
        session, output = self._session(), self._tokens
        if output is None:
            raise EncoderError(f"{self._folder / GRAPH} gives no vectors of tokens to compare")
        vectors = [np.zeros((0, self.dimensions), dtype=np.float32) for _ in texts]
        for group in session.run(session.tokens(texts), output.name):
            for position, values, mask in zip(*group, strict=True):
                vectors[position] = unit_rows(values[mask > 0])
        return vectors

    def _vectors(self, texts: Sequence[str], progress: Progress) -> dict[int, NDArray[np.float32]]:
        session, output = self._session(), self._sentences
        encodings = session.tokens(texts)
        spoken = [n for n, each in enumerate(encodings) if not all(each.special_tokens_mask)]
        vectors = {}
        for group in session.run([encodings[n] for n in spoken], output.name, progress):
            for position, vector in zip(group.positions, _pooled(group), strict=True):
                vectors[spoken[position]] = vector
        return vectors

    @cached_property
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

    @cached_property
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


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file_digest(file, "blake2b").hexdigest()[:12]
    except OSError as missing:
        raise EncoderError(f"a model's folder needs {path.name}: {missing}") from missing
