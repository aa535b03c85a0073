"""A store kept open for whoever asks, with each model and each place of vectors that is asked for."""

import threading
from typing import TYPE_CHECKING

from recollect.faces.hook.places import Meant

if TYPE_CHECKING:
    from recollect.open import Library


class Keeper:
    def __init__(self, meant: Meant, model: str, idle: float) -> None:
        self.meant = meant
        self.idle = idle
        """Seconds without a caller after which nothing needs to be kept; as the last one wished."""
        self._first = model
        self._libraries: dict[tuple[str, str], Library] = {}
        self._opening = threading.Lock()

    def library(self, model: str, vectors: str) -> "Library":
        from recollect.open import open_library

        with self._opening:
            if (model, vectors) not in self._libraries:
                chosen = None if model == "none" else model
                self._libraries[model, vectors] = open_library(
                    self.meant.store, vectors=vectors, model=chosen, create=False
                )
            return self._libraries[model, vectors]

    def warm_up(self) -> None:
        """What the first prompt would wait for: imports, the model, the indexes."""
        from recollect.faces.hook.answer import warm_up

        warm_up(self.library(self._first, self.meant.vectors))

    def close(self) -> None:
        for library in self._libraries.values():
            library.close()
