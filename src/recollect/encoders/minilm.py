"""all-MiniLM-L6-v2 on onnxruntime: texts in, 384-d vectors out, or one vector for each token."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from recollect.encoders.cache import cache_dir, is_installed, minilm_folder
from recollect.encoders.loading import Lazily
from recollect.encoders.onnx_model import OnnxModel
from recollect.encoders.progress import Progress, silent
from recollect.encoders.session import BUDGET
from recollect.model.errors import EncoderError

Precision = Literal["float32", "int8"]

LONGEST = 256  # tokens; the model's own limit
ALONE = 1  # tokens a group: every text is a group of its own
BUDGETS = {"float32": BUDGET, "int8": ALONE}


class MiniLM:
    """The model a user should end up with, once it is installed (`install.py`)."""

    dimensions = 384
    may_wait = False
    weak = False

    def __init__(self, cache: Path | None = None, precision: Precision = "float32") -> None:
        self.identity = f"all-minilm-l6-v2-{precision}-{LONGEST}"
        self._cache = cache or cache_dir()
        self._precision = precision
        self._model = Lazily(self._load)

    def embed(self, texts: Sequence[str], progress: Progress = silent) -> NDArray[np.float32]:
        return self._model().embed(texts, progress)

    def token_vectors(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        return self._model().token_vectors(texts)

    def _load(self) -> OnnxModel:
        if not is_installed(self._cache):
            raise EncoderError(
                f"minilm is not installed in {self._cache}; run: recollect model install minilm"
            )
        return minilm_model(minilm_folder(self._cache), self._precision)


def minilm_model(folder: Path, precision: Precision) -> OnnxModel:
    return OnnxModel(folder / precision, LONGEST, BUDGETS[precision])
