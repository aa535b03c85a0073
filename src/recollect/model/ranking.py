"""One leg's ordered findings, on its own scale. Only ids and scores travel through the pipeline."""

from dataclasses import dataclass
from typing import NamedTuple


class Hit(NamedTuple):
    """A note some leg found; the passage is None where the leg knows notes only, as links do."""

    note_id: str
    score: float
    passage_id: str | None = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """Best first, each note once. `retrieve.rank.ranking` makes one out of whatever a leg brought."""

    leg: str
    weight: float
    hits: tuple[Hit, ...]
    floor: float | None = None
    """The least score this leg can give at all (cosine -1, BM25 0); None where there is none."""

    def ids(self) -> tuple[str, ...]:
        return tuple(hit.note_id for hit in self.hits)
