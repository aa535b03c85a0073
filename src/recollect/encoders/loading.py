"""A slow load in, what it loads out: at first use, once, by one thread."""

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


class Lazily(Generic[Thing]):
    def __init__(self, load: Callable[[], Thing]) -> None:
        self._load = load
        self._lock = Lock()
        self._thing: Thing | None = None

    def __call__(self) -> Thing:
        """A load that failed is tried again by the next caller."""
        with self._lock:
            if self._thing is None:
                self._thing = self._load()
            return self._thing
