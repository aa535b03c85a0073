"""The embedded store keeps the contract."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect.ports import Store
from recollect.stores.sqlite import sqlite_store
from tests.stores.contract import StoreContract


class TestSQLiteStore(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        with sqlite_store(tmp_path / "store.db") as opened:
            yield opened.store
