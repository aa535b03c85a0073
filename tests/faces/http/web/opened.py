"""The page in a real browser, and what a person does there."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.faces.http.server import Client

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
REQUIRED = "RECOLLECT_BROWSER_REQUIRED" in os.environ
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
]
PHONE: ViewportSize = {"width": 390, "height": 800}

PATIENCE = 30_000  # milliseconds: a busy machine is no failure
expect.set_options(timeout=PATIENCE)

with_browser = pytest.mark.skipif(
    CHROMIUM is None and not REQUIRED,
    reason="no Chromium here; on Debian: apt-get install chromium",
)


@contextmanager
def opened(browser: Browser, client: Client, place: str = "/", **context: Any) -> Iterator[Page]:
    """A page that nothing goes wrong in."""
    settings = {"reduced_motion": "reduce", **context}
    own = browser.new_context(base_url=f"http://127.0.0.1:{client.port}", **settings)
    page = own.new_page()
    page.set_default_timeout(PATIENCE)
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto(place)
    page.wait_for_selector("html[data-ready]")
    yield page
    own.close()
    assert troubles == []


def search(page: Page, query: str) -> None:
    with page.expect_response("**/search"):
        page.fill("#q", query)
    page.wait_for_selector(".results > li")


def titles(page: Page) -> list[str]:
    return page.locator(".results h3").all_inner_texts()


def slide(page: Page, name: str, value: float) -> None:
    with page.expect_response("**/settle"):
        page.get_by_label(name, exact=True).fill(str(value))
    page.wait_for_timeout(50)


def remember(page: Page, title: str, text: str) -> None:
    page.get_by_role("button", name="Remember").click()
    page.get_by_label("Title").fill(title)
    page.get_by_label("Text", exact=True).fill(text)
    page.locator("dialog .main").click()
    expect(page.locator(".note h1")).to_have_text(title)
