"""Counting a large store must not keep it from answering."""

from itertools import count

from recollect.faces.http.pacing import Paced


class Counting:
    """Counts up, and takes its time by a clock of its own."""

    def __init__(self, takes: float) -> None:
        self.now = 0.0
        self._takes = takes
        self._numbers = count(1)

    def __call__(self) -> int:
        self.now += self._takes
        return next(self._numbers)


def test_what_is_quickly_counted_is_counted_each_time() -> None:
    counting = Counting(takes=0.01)
    paced = Paced(counting, lambda: counting.now)
    assert [paced(), paced(), paced()] == [1, 2, 3]


def test_what_takes_long_is_told_again_for_twenty_times_as_long() -> None:
    counting = Counting(takes=3.0)
    paced = Paced(counting, lambda: counting.now)
    assert paced() == 1
    counting.now += 59
    assert paced() == 1
    counting.now += 2
    assert paced() == 2
