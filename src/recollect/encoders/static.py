"""Texts in, 256-d vectors out, by looking words up in a table: there is no network to run.

The table and its tokenizer come inside the `wordllama` package. They are read here directly, as
importing that package takes a quarter of a second and changes the logging of the whole process.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.encoders.loading import Lazily
from recollect.encoders.progress import Progress, silent
from recollect.encoders.vectors import unit_rows
from recollect.encoders.weights import tensors
from recollect.model.errors import EncoderError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

BATCH = 256  # texts between two reports of progress


class Table(NamedTuple):
    rows: NDArray[Any]
    tokenizer: "Tokenizer"


class Static:
    """Each text is the mean of its words' vectors: fast and small, and blind to their order."""

    identity = "wordllama-l2-supercat-256"
    dimensions = 256
    may_wait = False
    weak = True

    def __init__(self) -> None:
        self._table = Lazily(_table)

    def embed(self, texts: Sequence[str], progress: Progress = silent) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for start in range(0, len(texts), BATCH):
            batch = texts[start : start + BATCH]
            self._fill(vectors[start : start + BATCH], batch)
            progress(start + len(batch), len(texts))
        return unit_rows(vectors)

    def _fill(self, vectors: NDArray[np.float32], texts: Sequence[str]) -> None:
        rows, tokenizer = self._table()
        encodings = tokenizer.encode_batch(
            [text.strip() for text in texts], add_special_tokens=False
        )
        for vector, encoding in zip(vectors, encodings, strict=True):
            if encoding.ids:
                vector[:] = rows[encoding.ids].sum(axis=0, dtype=np.float32)


def _table() -> Table:
    from tokenizers import Tokenizer

    home = _package()
    weights = tensors(home / "weights" / "l2_supercat_256.safetensors")
    tokenizer = Tokenizer.from_file(str(home / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    return Table(weights["embedding.weight"], tokenizer)


def _package() -> Path:
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        raise EncoderError(
            "the static model is in a package that is missing: pip install wordllama"
        )
    return Path(spec.origin).parent
