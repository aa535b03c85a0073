"""What a score must know of whole spaces: kept with every write, and written last.

The rows that many writers share (how many passages hold `the`) are locked just before the end of a
transaction, in one order for all, so that writers neither wait long nor in a ring.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from recollect.stores.postgres.connections import Connection
from recollect.stores.postgres.lexemes import EXACT, Row

_TERMS: Final = """
INSERT INTO terms SELECT * FROM unnest(%s::text[], %s::text[], %s::bigint[]) g (space, term, many)
ORDER BY 1, 2 ON CONFLICT (space, term) DO UPDATE SET passages = terms.passages + excluded.passages
"""
_SPACE: Final = "UPDATE spaces SET passages = passages + %s, length = length + %s WHERE space = %s"
_VECTORS: Final = """
INSERT INTO coverage VALUES (%s, %s, %s)
ON CONFLICT (space, model) DO UPDATE SET vectors = coverage.vectors + excluded.vectors
"""
_HELD: Final = f"""
SELECT term, count(*) FROM words w, unnest(tsvector_to_array(w.words)) term
WHERE w.space = %s AND w.id = ANY(%s::text[]) AND NOT starts_with(term, '{EXACT}') GROUP BY term
"""
_LENGTHS: Final = (
    "SELECT count(*), sum(length) FROM words WHERE space = %s AND id = ANY(%s::text[])"
)


@dataclass
class Difference:
    """How a transaction changes the counts of one space."""

    terms: Counter[str] = field(default_factory=Counter)
    passages: int = 0
    length: float = 0.0
    vectors: Counter[int] = field(default_factory=Counter)

    def add(self, row: Row) -> None:
        self.passages += 1
        self.length += row.length
        self.terms.update(row.terms)

    def take_away(self, connection: Connection, space: str, ids: Iterable[str]) -> None:
        """What the words of these passages, as they still are, have added."""
        given = (space, list(ids))
        for term, many in connection.execute(_HELD, given):
            self.terms[term] -= many
        passages, length = connection.execute(_LENGTHS, given).fetchone() or (0, 0)
        self.passages -= passages
        self.length -= length or 0.0


def keep(connection: Connection, differences: Mapping[str, Difference]) -> None:
    changed = [
        (space, term, many)
        for space, one in differences.items()
        for term, many in one.terms.items()
        if many
    ]
    if changed:
        connection.execute(_TERMS, tuple(map(list, zip(*changed, strict=True))))
    for space, one in sorted(differences.items()):
        for model, many in sorted(one.vectors.items()):
            if many:
                connection.execute(_VECTORS, (space, model, many))
        if one.passages or one.length:
            connection.execute(_SPACE, (one.passages, one.length, space))
