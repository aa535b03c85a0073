"""A library in a file, and the service over it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect.open import Library, open_library
from tests.faces.http.server import Client, serving


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with open_library(tmp_path / "store.db", model="hashing") as opened:
        yield opened


@pytest.fixture
def client(library: Library) -> Iterator[Client]:
    with serving(library) as one:
        yield one
