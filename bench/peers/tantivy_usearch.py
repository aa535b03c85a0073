"""A bare pair of native engines: tantivy for words, usearch's HNSW graph in half precision."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import tantivy
from usearch.index import Index

from bench.peers.peer import DEPTH, Batch, Matrix, fused, words

EXPANSION = 2 * DEPTH  # its default of 64 is less than the hits wanted, and finds half of them


class TantivyUsearch:
    def __init__(self, directory: Path, dimensions: int):
        schema = tantivy.SchemaBuilder()
        schema.add_integer_field("number", stored=True, fast=True)
        schema.add_text_field("text", stored=True, index_option="freq")
        self._schema = schema.build()
        home = directory / "tantivy"
        home.mkdir(exist_ok=True)
        self._words = tantivy.Index(self._schema, path=str(home))
        self._graph = Index(ndim=dimensions, metric="cos", dtype="f16")
        self._file = directory / "vectors.usearch"
        if self._file.exists():
            self._graph.view(str(self._file))
            self._graph.expansion_search = EXPANSION
            self._searcher = self._words.searcher()

    def load(self, batches: Iterable[Batch]) -> None:
        writer = self._words.writer()
        for batch in batches:
            for number, text in zip(batch.numbers, batch.texts, strict=True):
                writer.add_document(tantivy.Document(number=number, text=text))
            self._graph.add(np.array(batch.numbers), batch.vectors)
        writer.commit()
        writer.wait_merging_threads()
        self._graph.save(str(self._file))

    def best(self, text: str, vector: Matrix) -> list[int]:
        near = self._graph.search(vector, DEPTH).keys.tolist()
        return fused(self._by_words(text), near)

    def _by_words(self, text: str) -> list[int]:
        should = tantivy.Occur.Should
        terms = (tantivy.Query.term_query(self._schema, "text", word) for word in words(text))
        query = tantivy.Query.boolean_query([(should, term) for term in terms])
        hits = self._searcher.search(query, DEPTH, count=False).hits
        return [self._searcher.doc(address)["number"][0] for _, address in hits]
