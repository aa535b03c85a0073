"""The demo's notes served, and a browser before them."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from recollect.faces.cli.demo import NOTES
from recollect.open import Library, open_library
from tests.faces.http.server import Client
from tests.faces.http.web.opened import CHROMIUM, FLAGS, opened


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert CHROMIUM, "the browser tests are required and there is no Chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("demo") / "demo.db"
    with open_library(place, model="hashing") as library:
        library.index_folder(NOTES, "notes")
        library.embed()
    return place


@pytest.fixture
def library(demo: Path, tmp_path: Path) -> Iterator[Library]:
    place = tmp_path / "store.db"
    shutil.copy(demo, place)
    with open_library(place, model="hashing") as opened_library:
        yield opened_library


@pytest.fixture
def page(browser: Browser, client: Client) -> Iterator[Page]:
    with opened(browser, client) as one:
        yield one
