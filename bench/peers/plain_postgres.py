"""What a tutorial has: one table with a generated tsvector and a pgvector column, GIN and HNSW, and one
statement that ranks by ts_rank_cd and by cosine and fuses both."""

from collections.abc import Iterable
from pathlib import Path

import psycopg
from tests.stores.postgres.server import PLAIN

from bench.peers.own_postgres import OwnPostgres
from bench.peers.peer import DEPTH, Batch, K, Matrix, words

_TABLE = """
CREATE TABLE passage (
    number integer PRIMARY KEY, text text NOT NULL, vector vector({dimensions}) NOT NULL,
    words tsvector GENERATED ALWAYS AS (to_tsvector('english', text)) STORED
)"""
_INDEXES = (
    "CREATE INDEX ON passage USING gin (words)",
    "CREATE INDEX ON passage USING hnsw (vector vector_cosine_ops)",
    "ANALYZE passage",
)
_BEST = f"""
WITH by_words AS (
    SELECT number, row_number() OVER (ORDER BY rank DESC, number) AS place FROM (
        SELECT number, ts_rank_cd(words, query) AS rank
        FROM passage, to_tsquery('english', %(words)s) query
        WHERE words @@ query ORDER BY rank DESC LIMIT {DEPTH}
    ) ranked
), by_meaning AS (
    SELECT number, row_number() OVER (ORDER BY distance, number) AS place FROM (
        SELECT number, vector <=> %(vector)s::vector AS distance
        FROM passage ORDER BY distance LIMIT {DEPTH}
    ) near
)
SELECT number FROM (SELECT * FROM by_words UNION ALL SELECT * FROM by_meaning) found
GROUP BY number ORDER BY sum(1.0 / ({K} + place)) DESC, number
"""  # noqa: S608 - two whole numbers of ours


class PlainPostgres:
    def __init__(self, directory: Path, dimensions: int) -> None:
        self._dimensions = dimensions
        server = OwnPostgres(PLAIN, directory)
        self._connection = psycopg.connect(server.address, autocommit=True)
        self._connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        self._connection.execute(f"SET hnsw.ef_search = {DEPTH}")

    def load(self, batches: Iterable[Batch]) -> None:
        self._connection.execute(_TABLE.format(dimensions=self._dimensions))
        copying = "COPY passage (number, text, vector) FROM STDIN"
        with self._connection.cursor() as cursor, cursor.copy(copying) as rows:
            for batch in batches:
                for row in zip(batch.numbers, batch.texts, batch.vectors, strict=True):
                    rows.write_row((row[0], row[1].replace("\x00", " "), _literal(row[2])))
        for statement in _INDEXES:
            self._connection.execute(statement)

    def best(self, text: str, vector: Matrix) -> list[int]:
        query = " | ".join(f"'{word}'" for word in words(text))
        found = self._connection.execute(_BEST, {"words": query, "vector": _literal(vector)})
        return [int(number) for (number,) in found]


def _literal(vector: Matrix) -> str:
    return f"[{','.join(map(str, vector.tolist()))}]"
