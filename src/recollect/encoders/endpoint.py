"""An OpenAI-compatible embeddings endpoint: texts in, vectors out, over HTTP in batches."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.encoders.loading import Once
from recollect.encoders.progress import Progress, silent
from recollect.encoders.vectors import unit_rows
from recollect.encoders.wire import Wire
from recollect.model.errors import EncoderError

BATCH = 64  # texts a request


class Endpoint:
    """The address is part of the identity: two servers may mean two models by one name."""

    may_wait = True
    weak = False

    def __init__(self, wire: Wire, model: str, batch: int = BATCH) -> None:
        self._wire = wire
        self._model = model
        self._batch = batch
        self.identity = f"{model} at {wire.address}"

    def _find_dimensions(self) -> int:
        """Asked of the server, once."""
        return int(self._rows(["dimensions"]).shape[1])

    dimensions = Once(_find_dimensions)

    def embed(self, texts: Sequence[str], progress: Progress = silent) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        spoken = [n for n, text in enumerate(texts) if text.strip()]
        for start in range(0, len(spoken), self._batch):
            positions = spoken[start : start + self._batch]
            rows = self._rows([texts[n] for n in positions])
            if rows.shape[1] != self.dimensions:
                raise self._wrong(f"vectors of {rows.shape[1]} dimensions, not {self.dimensions}")
            vectors[positions] = rows
            progress(start + len(positions), len(spoken))
        return unit_rows(vectors)

    def _rows(self, texts: list[str]) -> NDArray[np.float32]:
        question = {"model": self._model, "input": texts, "encoding_format": "float"}
        answer = self._wire.post("/embeddings", question)
        try:
            items = sorted(answer["data"], key=lambda item: item["index"])
            order = [item["index"] for item in items]
            rows = np.array([item["embedding"] for item in items], dtype=np.float32)
        except (KeyError, TypeError, ValueError) as broken:
            raise self._wrong(f"no list of equally long vectors ({_named(broken)})") from broken
        if order != list(range(len(texts))):
            raise self._wrong(f"{len(order)} vectors for {len(texts)} texts, or not one for each")
        if rows.ndim != 2 or not rows.shape[1] or not np.isfinite(rows).all():
            raise self._wrong("vectors that are empty or not all numbers")
        return rows

    def _wrong(self, what: str) -> EncoderError:
        return EncoderError(f"{self._wire.address} answered for model {self._model!r} with {what}")


def _named(broken: Exception) -> Any:
    return f"{type(broken).__name__}: {str(broken)[:80]}"
