"""The Postgres store keeps the contract, on a server with true BM25 and on one without."""

import pytest

from recollect.ports import Store
from recollect.stores.postgres import PostgresStore
from recollect.stores.postgres.words import PostgresWords
from tests.stores.contract import StoreContract
from tests.stores.postgres.emptying import empty


class TestPostgresStore(StoreContract):
    @pytest.fixture
    def store(self, plain_postgres: PostgresStore) -> Store:
        empty(plain_postgres)
        return plain_postgres.store


class TestPostgresStoreWithTrueBM25(StoreContract):
    """Here the index ranks every bag of words but the rarest word of it."""

    @pytest.fixture
    def store(self, bm25_postgres: PostgresStore) -> Store:
        empty(bm25_postgres)
        words = PostgresWords(bm25_postgres.connections, first=1)
        return bm25_postgres.store._replace(words=words)
