"""What a passage takes up in Postgres, table by table: what sizes on paper are made of.

    python -m bench.sizes [--passages 50000] [--data FOLDER]

Loads so many passages with vectors of 384 dimensions into a Postgres of its own and tells the bytes
of a passage in each table and in its indexes, and how many passages were loaded a second.
"""

import argparse
import os
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import psycopg

from bench.peers.corpus import corpus
from bench.peers.recollect_postgres import RecollectPostgres

_SIZES = """
SELECT parent.relname, pg_table_size(part.oid), pg_indexes_size(part.oid)
FROM pg_inherits i
JOIN pg_class part ON part.oid = i.inhrelid AND part.relkind = 'r'
JOIN pg_class parent ON parent.oid = i.inhparent
JOIN pg_namespace own ON own.oid = parent.relnamespace AND own.nspname = 'recollect'
"""


def main() -> None:
    options = _options()
    made = corpus(options.data, None, options.passages, 1)
    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch).chmod(0o711)  # the server may run as another user
        folder = Path(scratch) / "postgres"
        folder.mkdir()
        peer = RecollectPostgres(folder, made.vectors.shape[1])
        began = time.perf_counter()
        peer.load(made.batches())
        seconds = time.perf_counter() - began
        _tell(peer.address, options.passages, seconds)
        peer.close()


def _options() -> argparse.Namespace:
    data = os.environ.get("RECOLLECT_DATA")
    known = argparse.ArgumentParser(prog="python -m bench.sizes", description=__doc__)
    known.add_argument("--passages", type=int, default=50_000)
    known.add_argument("--data", type=Path, default=data and Path(data), help="BEIR-like folder")
    return known.parse_args()


def _tell(address: str, passages: int, seconds: float) -> None:
    tables: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    with psycopg.connect(address) as connection:
        for name, rows, indexes in connection.execute(_SIZES):
            tables[name][0] += rows
            tables[name][1] += indexes
    print(f"{passages:,} passages, {passages / seconds:,.0f} a second with their indexes\n")
    print("| table | bytes a passage | in its indexes |\n|---|---|---|")
    for name, (rows, indexes) in sorted(tables.items(), key=lambda one: -sum(one[1])):
        print(f"| {name} | {rows / passages:,.0f} | {indexes / passages:,.0f} |")
    total = sum(map(sum, tables.values()))
    print(f"| all | {total / passages:,.0f} | |")


if __name__ == "__main__":
    main()
