"""An embedder that is loaded in the background: until it is there it says so instead of waiting."""

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.encoders.loading import Once
from recollect.model.errors import EncoderError, NotReady
from recollect.ports import Embedder

FIRST_WORDS = "the first words a model reads"


class Warming:
    """Raises `NotReady` until the model has read its first words; then it is that model.

    `then` is called once, in the background, as soon as the model answers.
    """

    identity = Once(
        lambda own: str(own._embedder.identity)
    )  # a local model may have to read its files
    dimensions = Once(lambda own: int(own._embedder.dimensions))
    may_wait = Once(lambda own: bool(own._embedder.may_wait))
    weak = Once(lambda own: bool(own._embedder.weak))

    def __init__(self, embedder: Embedder, then: Callable[[], Any] = lambda: None) -> None:
        self._embedder = embedder
        self._then = then
        self._tried = threading.Event()
        self._trouble = ""
        threading.Thread(target=self._load, name="recollect-warming", daemon=True).start()

    @property
    def ready(self) -> bool:
        return self._tried.is_set() and not self._trouble

    def wait(self, seconds: float) -> bool:
        """Whether the model is ready by then."""
        self._tried.wait(seconds)
        return self.ready

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not self._tried.is_set():
            raise NotReady(f"{self.identity} is still loading; ask again in a moment")
        if self._trouble:
            raise EncoderError(self._trouble)
        return self._embedder.embed(texts)

    def _load(self) -> None:
        try:
            self._embedder.embed([FIRST_WORDS])
        except Exception as error:  # whatever broke is told to whoever asks
            self._trouble = f"{self.identity} could not be loaded: {error}"
        finally:
            self._tried.set()
        if self.ready:
            self._then()
