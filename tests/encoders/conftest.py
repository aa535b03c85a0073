"""The real model, installed once on this machine as a user would have it."""

from pathlib import Path

import pytest

from recollect.encoders.cache import cache_dir
from recollect.encoders.install import install
from recollect.encoders.minilm import MiniLM


@pytest.fixture(scope="session")
def cache() -> Path:
    install(cache_dir())
    return cache_dir()


@pytest.fixture(scope="session")
def minilm(cache: Path) -> MiniLM:
    return MiniLM(cache)
