"""What the tools work with: a library, opened in the background, and what this server's clients may see."""

import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from recollect.model.errors import BadInput, RecollectError, StoreError
from recollect.model.query import Scope

if TYPE_CHECKING:
    from datetime import datetime

    from recollect.open import Library

QUEUE: Final = 2_000
"""Passages that still wait for a vector are embedded in the background, up to so many; more than
that is work for `recollect index`."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What may be seen through this server. Agents with other spaces or projects are kept apart."""

    spaces: tuple[str, ...] = ("memory",)
    project: str | None = None

    @property
    def home(self) -> str:
        """Where new memories go."""
        return self.spaces[0]

    def scope(
        self,
        project: str | None = None,
        tags: Iterable[str] = (),
        since: "datetime | None" = None,
        before: "datetime | None" = None,
    ) -> Scope:
        own = self.own_project(project)
        return Scope.of(
            *self.spaces,
            projects=None if own is None else [own],
            tags=tags,
            since=since,
            before=before,
        )

    def own_project(self, asked: str | None) -> str | None:
        if self.project is not None and asked not in (None, self.project):
            raise BadInput("project", asked, f"is not seen here; this server shows {self.project}")
        return asked or self.project


class Desk:
    """The library is opened on a thread of its own; whoever comes too early waits for it, and nobody
    waits for the model."""

    def __init__(
        self, store: str | None, model: str | None, bounds: Bounds, vectors: str | None = None
    ) -> None:
        self.bounds = bounds
        self._store = store
        self._vectors = vectors
        self._model = model
        self._library: Library | None = None
        self._trouble: Exception | None = None
        self._opened = threading.Event()
        threading.Thread(target=self._open, name="recollect-opening", daemon=True).start()

    @property
    def library(self) -> "Library":
        self._opened.wait()
        if self._library is None:
            raise self._trouble or StoreError("the store could not be opened")
        return self._library

    def close(self) -> None:
        if self._opened.is_set() and self._library is not None:
            self._library.close()

    def _open(self) -> None:
        try:
            self._library = self._warmed()
        except Exception as error:  # told to whoever asks
            self._trouble = error
        finally:
            self._opened.set()

    def _warmed(self) -> "Library":
        from recollect.encoders.warming import Warming
        from recollect.open import open_library

        library = open_library(self._store, vectors=self._vectors, model=self._model)
        if library.embedder is not None:
            library.embedder = Warming(library.embedder, self._embed_the_queue)
        return library

    def _embed_the_queue(self) -> None:
        """What was remembered while no model was there."""
        with suppress(RecollectError):  # closed meanwhile: the next one embeds what waits
            self._embed(self.library)

    def _embed(self, library: "Library") -> None:
        warmed = library.embedder
        if 0 < library.waiting() <= QUEUE:
            library.embed()
            if library.successor is not None and warmed is not None:
                same = library.successor.identity == warmed.identity
                library.embedder = warmed if same else library.successor
