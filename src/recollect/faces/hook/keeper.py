"""A store kept open for whoever asks, with each model that is asked for."""

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.open import Library


class Keeper:
    def __init__(self, store: str, model: str, idle: float) -> None:
        self.store = store
        self.idle = idle
        """Seconds without a caller after which nothing needs to be kept; as the last one wished."""
        self._first = model
        self._libraries: dict[str, Library] = {}
        self._opening = threading.Lock()

    def library(self, model: str) -> "Library":
        from recollect.open import open_library

        with self._opening:
            if model not in self._libraries:
                chosen = None if model == "none" else model
                self._libraries[model] = open_library(self.store, model=chosen, create=False)
            return self._libraries[model]

    def warm_up(self) -> None:
        """What the first prompt would wait for: imports, the model, the indexes."""
        from recollect.faces.hook.answer import warm_up

        warm_up(self.library(self._first))

    def close(self) -> None:
        for library in self._libraries.values():
            library.close()
