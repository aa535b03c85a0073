"""One Postgres of each kind for a whole run of tests, in each process that runs some of them."""

from collections.abc import Iterator

import pytest

from recollect.stores.postgres import PostgresStore, postgres_store
from tests.stores.postgres.server import PLAIN, WITH_BM25, Server, running


@pytest.fixture(scope="session")
def plain_server() -> Iterator[Server]:
    with running(PLAIN) as server:
        yield server


@pytest.fixture(scope="session")
def bm25_server() -> Iterator[Server]:
    with running(WITH_BM25) as server:
        yield server


@pytest.fixture(scope="session")
def plain_postgres(plain_server: Server) -> Iterator[PostgresStore]:
    with postgres_store(plain_server.address, schema="contract", partitions=2) as opened:
        yield opened


@pytest.fixture(scope="session")
def bm25_postgres(bm25_server: Server) -> Iterator[PostgresStore]:
    with postgres_store(bm25_server.address, schema="contract", partitions=2) as opened:
        yield opened
