"""Lengths of texts in, groups of texts of about one length out. Pure."""

from collections.abc import Iterator, Sequence


def batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Positions, shortest first, in groups that fit the budget once padded to their longest.

    A text longer than the budget is a group of its own.
    """
    group: list[int] = []
    for position in sorted(range(len(lengths)), key=lengths.__getitem__):
        if group and (len(group) + 1) * lengths[position] > budget:
            yield group
            group = []
        group.append(position)
    if group:
        yield group
