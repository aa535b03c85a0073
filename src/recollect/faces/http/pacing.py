"""Counting no more often than is bearable: what took long to count is told again for a while."""

import threading
import time
from collections.abc import Callable
from typing import Final, Generic, TypeVar

T = TypeVar("T")

LONG: Final = 0.25  # seconds; what takes less is counted each time
SHARE: Final = 20  # at most one part in so many of the time goes by with counting


class Paced(Generic[T]):
    def __init__(self, count: Callable[[], T], clock: Callable[[], float] = time.monotonic) -> None:
        self._count = count
        self._clock = clock
        self._counting = threading.Lock()
        self._told: T | None = None
        self._until = float("-inf")

    def __call__(self) -> T:
        with self._counting:  # whoever comes meanwhile is told the same
            if self._told is None or self._clock() >= self._until:
                began = self._clock()
                self._told = self._count()
                took = self._clock() - began
                self._until = self._clock() + (SHARE * took if took > LONG else 0.0)
            return self._told
