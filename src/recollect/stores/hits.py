"""Hits in any order in, hits in the order every store gives them out. Pure."""

from collections.abc import Iterable

from recollect.model.ranking import Hit


def in_order(found: Iterable[Hit]) -> list[Hit]:
    """Best first; equal ones by the passage's id."""
    return sorted(found, key=lambda hit: (-hit.score, str(hit.passage_id)))


def best_of_each(found: Iterable[Hit]) -> list[Hit]:
    """Each note once, by its best passage."""
    best: dict[str, Hit] = {}
    for hit in in_order(found):
        best.setdefault(hit.note_id, hit)
    return list(best.values())
