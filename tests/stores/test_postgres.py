"""The Postgres store keeps the contract, on a server with true BM25 and on one without."""

import pytest

from recollect.ports import Store
from recollect.stores.postgres import PostgresStore
from tests.stores.contract import StoreContract
from tests.stores.postgres.emptying import empty


class TestPostgresStore(StoreContract):
    @pytest.fixture
    def store(self, plain_postgres: PostgresStore) -> Store:
        empty(plain_postgres)
        return plain_postgres.store
