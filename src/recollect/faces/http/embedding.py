"""New passages get their vectors in a thread of their own; whoever writes waits for none of it."""

import logging
import threading
from typing import Final

from recollect.open import Library

log = logging.getLogger("recollect.http")

REST_SECONDS: Final = 0.05
"""A breath between being called and beginning, so that a burst of writes is one batch."""
AGAIN_SECONDS: Final = 30.0


class Embedding:
    """Call `wake` after a write. It also looks by itself, for what other processes wrote."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._called = threading.Event()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="recollect-embed", daemon=True)
        self.failure = ""

    def start(self) -> None:
        self._thread.start()
        self.wake()

    def wake(self) -> None:
        self._called.set()

    def stop(self, seconds: float = 5.0) -> None:
        """What is not embedded by then is embedded when the service starts again."""
        self._ending.set()
        self._called.set()
        if self._thread.is_alive():
            self._thread.join(seconds)

    def _run(self) -> None:
        while not self._ending.is_set():
            self._called.wait(AGAIN_SECONDS)
            self._called.clear()
            if not self._ending.wait(REST_SECONDS):
                self._embed()

    def _embed(self) -> None:
        try:
            self._library.embed()
        except Exception as error:  # notes are still found by words; the next call tries again
            self.failure = f"{type(error).__name__}: {error}"
            log.warning("embedding failed: %s", self.failure)
        else:
            self.failure = ""
