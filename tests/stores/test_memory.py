"""The reference store keeps the contract."""

import pytest

from recollect.ports import Store
from recollect.stores.memory import memory_store
from tests.stores.contract import StoreContract


class TestMemoryStore(StoreContract):
    @pytest.fixture
    def store(self) -> Store:
        return memory_store()
