"""SQLite with its vectors in Qdrant keeps the contract, in the client's local mode."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect.ports import Store
from recollect.stores.postgres import PostgresStore
from recollect.stores.qdrant import with_qdrant
from recollect.stores.sqlite import sqlite_store
from tests.stores.archive_contract import ArchiveContract
from tests.stores.contract import StoreContract, VectorsContract, WriterContract
from tests.stores.postgres.emptying import empty
from tests.stores.qdrant_server import QdrantServer, serving
from tests.stores.scope_contract import ScopeContract


class TestSQLiteWithQdrant(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        with with_qdrant(sqlite_store(tmp_path / "store.db"), ":memory:") as opened:
            yield opened.store


@pytest.fixture(scope="module")
def server() -> Iterator[QdrantServer]:
    with serving() as server:
        yield server


class TestSQLiteWithQdrantServer(VectorsContract, WriterContract, ArchiveContract, ScopeContract):
    """What concerns vectors, by way of HTTP, answered by Qdrant's own engine."""

    @pytest.fixture
    def store(self, tmp_path: Path, server: QdrantServer) -> Iterator[Store]:
        with with_qdrant(sqlite_store(tmp_path / "store.db"), server.url) as opened:
            yield opened.store


class TestPostgresWithQdrant(StoreContract):
    """Rows and words in Postgres, vectors in Qdrant's local mode."""

    @pytest.fixture
    def store(self, plain_postgres: PostgresStore) -> Store:
        empty(plain_postgres)
        return with_qdrant(plain_postgres, ":memory:").store
