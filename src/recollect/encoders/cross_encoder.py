"""A folder with an ONNX cross-encoder in; a query and texts in, one score a text out."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recollect.encoders.fingerprint import fingerprint
from recollect.encoders.loading import Lazily, Once
from recollect.encoders.session import GRAPH, Session
from recollect.model.errors import EncoderError

LONGEST = 512  # tokens of a query and a text together


class CrossEncoder:
    """The model reads query and text together, which is slow, and knows more than two vectors do."""

    may_wait = False

    def __init__(self, folder: Path, longest: int = LONGEST) -> None:
        self._folder = folder
        self._longest = longest
        self._session = Lazily(lambda: Session(folder, longest))

    def _find_identity(self) -> str:
        return f"cross-encoder-{fingerprint(self._folder)}-{self._longest}"

    identity = Once(_find_identity)

    def judge(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        session = self._session()
        scores = [0.0] * len(texts)
        for group in session.run(session.token_pairs(query, texts), session.outputs[0].name):
            for position, score in zip(group.positions, self._scores(group.values), strict=True):
                scores[position] = float(score)
        return scores

    def _scores(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """One number a text as it is; of two, by how much yes is above no."""
        rows = values.reshape(len(values), -1)
        if rows.shape[1] == 1:
            return rows[:, 0]
        if rows.shape[1] == 2:
            above: NDArray[np.float32] = rows[:, 1] - rows[:, 0]
            return above
        raise EncoderError(
            f"{self._folder / GRAPH} gives {rows.shape[1]} numbers a text; a cross-encoder gives 1 or 2"
        )
