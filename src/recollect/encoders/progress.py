"""How long work tells how far it is: a function of what is done and what there is in all."""

from collections.abc import Callable

Progress = Callable[[int, int], None]


def silent(done: int, total: int) -> None:  # it is a Progress that says nothing
    """For callers who do not want to know."""
