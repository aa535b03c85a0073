"""The systems that `bench.hybrid` sets side by side, by name."""

from importlib import import_module
from pathlib import Path

from bench.peers.peer import Peer

PEERS = {
    "exact": "bench.peers.exact:Exact",
    "recollect": "bench.peers.recollect:Recollect",
    "recollect-postgres": "bench.peers.recollect_postgres:RecollectPostgres",
    "recollect-postgres-bm25": "bench.peers.recollect_postgres:RecollectPostgresBM25",
    "recollect-indexes": "bench.peers.recollect_indexes:RecollectIndexes",
    "tantivy+usearch": "bench.peers.tantivy_usearch:TantivyUsearch",
    "lancedb": "bench.peers.lance:Lance",
    "lancedb-allwords": "bench.peers.lance:LanceAllWords",
    "lancedb-pq": "bench.peers.lance:LancePq",
    "pgvector+tsvector": "bench.peers.plain_postgres:PlainPostgres",
    "fts5+numpy": "bench.peers.fts5_numpy:Fts5Numpy",
}


def opened(name: str, directory: Path, dimensions: int) -> Peer:
    module, _, kind = PEERS[name].partition(":")
    try:
        peer: Peer = getattr(import_module(module), kind)(directory, dimensions)
    except ModuleNotFoundError as error:
        raise SystemExit(f"{name} needs {error.name}: pip install -e '.[bench]'") from error
    return peer
