"""SQLite with its vectors in Qdrant keeps the contract, in the client's local mode."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect.ports import Store
from recollect.stores.qdrant import with_qdrant
from recollect.stores.sqlite import sqlite_store
from tests.stores.contract import StoreContract


class TestSQLiteWithQdrant(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        with with_qdrant(sqlite_store(tmp_path / "store.db"), ":memory:") as opened:
            yield opened.store
