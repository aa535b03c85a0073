"""LanceDB: as it comes, with all words kept as the others do, and with a compressed index."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import lancedb
import pyarrow as pa
from lancedb.rerankers import RRFReranker

from bench.peers.peer import DEPTH, Batch, K, Matrix


class Lance:
    """Its defaults: every vector compared; words stemmed, stop words dropped."""

    def __init__(self, directory: Path, dimensions: int):
        self._dimensions = dimensions
        self._database = lancedb.connect(directory)
        self._fusion = RRFReranker(K=K)
        if "passage" in self._database.list_tables().tables:
            self._table = self._database.open_table("passage")

    def load(self, batches: Iterable[Batch]) -> None:
        fields = [("number", pa.int64()), ("text", pa.string())]
        vectors = ("vector", pa.list_(pa.float32(), self._dimensions))
        schema = pa.schema([*fields, vectors])
        blocks = pa.RecordBatchReader.from_batches(schema, self._blocks(schema, batches))
        self._table = self._database.create_table("passage", blocks, schema=schema)
        self._index()

    def best(self, text: str, vector: Matrix) -> list[int]:
        query = self._table.search(query_type="hybrid").vector(vector).text(text)
        query = self._near(query.distance_type("cosine").rerank(self._fusion))
        found = query.select(["number"]).limit(DEPTH).to_arrow()
        return [int(number) for number in found["number"].to_pylist()]

    def _index(self) -> None:
        self._table.create_fts_index("text")

    def _near(
        self, query: lancedb.query.LanceHybridQueryBuilder
    ) -> lancedb.query.LanceHybridQueryBuilder:
        return query

    def _blocks(self, schema: pa.Schema, batches: Iterable[Batch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            flat = pa.array(batch.vectors.reshape(-1))
            vectors = pa.FixedSizeListArray.from_arrays(flat, self._dimensions)
            columns = [pa.array(batch.numbers), pa.array(batch.texts), vectors]
            yield pa.RecordBatch.from_arrays(columns, schema=schema)


class LanceAllWords(Lance):
    """No stemming and no stop words, as the other systems here."""

    def _index(self) -> None:
        self._table.create_fts_index("text", stem=False, remove_stop_words=False)


class LancePq(Lance):
    """A compressed index instead of comparing every vector, its best candidates compared again."""

    REFINED = 10  # candidates compared exactly for each one wanted

    def _index(self) -> None:
        super()._index()
        self._table.create_index(metric="cosine", index_type="IVF_PQ")

    def _near(
        self, query: lancedb.query.LanceHybridQueryBuilder
    ) -> lancedb.query.LanceHybridQueryBuilder:
        return query.refine_factor(self.REFINED)
