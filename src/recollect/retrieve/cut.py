"""The last stage: how much of the order is shown. Pure."""

from collections.abc import Callable, Sequence


def cut(
    order: Sequence[str], normalised: Callable[[str], float], floor: float, limit: int
) -> tuple[list[str], int]:
    """The first `limit` notes that reach the floor, and how many did not reach it."""
    reaching = [note_id for note_id in order if normalised(note_id) >= floor]
    return reaching[:limit], len(order) - len(reaching)
