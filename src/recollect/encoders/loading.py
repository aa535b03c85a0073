"""Slow things in, the same things out: worked out at first use, once, and kept."""

from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeVar

Thing = TypeVar("Thing")


class Lazily(Generic[Thing]):
    """A load, done by one thread while the others wait; one that failed is tried again."""

    def __init__(self, load: Callable[[], Thing]) -> None:
        self._load = load
        self._lock = Lock()
        self._thing: Thing | None = None

    def __call__(self) -> Thing:
        with self._lock:
            if self._thing is None:
                self._thing = self._load()
            return self._thing


class Once(Generic[Thing]):
    """An attribute worked out when it is first read: the ports ask for attributes, not properties."""

    def __init__(self, work: Callable[[Any], Thing]) -> None:
        self._work = work

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, owner: Any, kind: type) -> Thing:
        found = self._work(owner)
        owner.__dict__[self._name] = found
        return found
