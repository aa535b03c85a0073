"""Rankings of passages in, for each note the passage to show for it out. Pure."""

from collections.abc import Iterable

from recollect.model.ranking import Ranking


def witnesses(rankings: Iterable[Ranking]) -> dict[str, str | None]:
    """The first list to bring a note names its passage; later lists only fill blanks (R2.1)."""
    found: dict[str, str | None] = {}
    for ranking in rankings:
        for hit in ranking.hits:
            if found.get(hit.note_id) is None:
                found[hit.note_id] = hit.passage_id
    return found
