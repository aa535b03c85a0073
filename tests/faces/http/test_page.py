"""The page in a real browser: what it shows, what it does, and what a note cannot make it do."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from recollect.faces.cli.demo import NOTES, QUESTIONS
from recollect.faces.http.tokens import make_token
from recollect.open import Library, open_library
from tests.faces.http.server import Client, serving

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

pytestmark = pytest.mark.skipif(
    CHROMIUM is None and not REQUIRED,
    reason="no Chromium here; on Debian: apt-get install chromium",
)

HOSTILE = """\
# <img src=x onerror="window.hurt=1">

<script>window.hurt = 1</script>
<iframe src="javascript:parent.hurt=1"></iframe>
<a href="javascript:window.hurt=1" onclick="window.hurt=1">html</a>
[press](javascript:window.hurt=1) [data](data:text/html,<script>window.hurt=1</script>)
![remote](http://evil.example/pixel.png) ![[http://evil.example/embed.png]]
<style>body { display: none }</style> [[<b onmouseover=alert(1)>wiki</b>]] `<script>code</script>`
hostile words to be found by
"""


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
    with open_library(place, model="hashing") as opened:
        yield opened


@pytest.fixture
def page(browser: Browser, client: Client) -> Iterator[Page]:
    context = browser.new_context(
        base_url=f"http://127.0.0.1:{client.port}", reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto("/")
    page.wait_for_selector("html[data-ready]")
    yield page
    context.close()
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


def test_results_come_while_typing_with_marks_trail_and_age(page: Page) -> None:
    page.locator("#q").press_sequentially("sourdough starter", delay=5)
    page.wait_for_selector(".results > li mark")
    first = page.locator(".results > li").first
    assert first.locator("mark").first.inner_text().lower() in ("sourdough", "starter")
    assert ".md" in first.locator(".trail").inner_text()
    assert "ago" in first.locator("time").inner_text()
    assert "q=sourdough" in page.url


def test_a_result_shows_its_whole_sum(page: Page) -> None:
    search(page, "upgrade the cluster")
    first = page.locator(".results > li").first
    first.locator("summary").click()
    given = [
        float(one.strip("+ "))
        for one in first.locator(".sum tbody tr:not(.step) td:last-child").all_inner_texts()
    ]
    factors = [
        float(one.strip("×")) for one in first.locator(".sum .step td:last-child").all_inner_texts()
    ]
    told = float(first.locator(".sum tfoot b").inner_text())
    score = sum(given)
    for factor in factors:
        score *= factor
    assert score == pytest.approx(told, rel=1e-3)
    assert first.locator(".bar .part").count() >= 2
    assert "rank" in (first.locator(".bar").get_attribute("aria-label") or "")
    expect(page.locator(".timeline li")).not_to_have_count(0)


def test_the_ladder_is_shown_when_it_was_climbed(page: Page) -> None:
    search(page, QUESTIONS[2])
    expect(page.locator(".ladder")).to_contain_text("trigram_fuzzy")


def test_sliders_reorder_what_was_found_and_say_how_far(page: Page) -> None:
    search(page, "the cluster upgrade at night")
    before = titles(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    slide(page, "words", 0)
    after = titles(page)
    assert before != after
    assert page.locator(".moved").count() > 0
    assert all("/settle" in one for one in asked)
    page.get_by_role("button", name="Reset").click()
    page.wait_for_timeout(300)
    assert titles(page) == before


def test_fusion_and_k_are_the_servers_own(page: Page) -> None:
    search(page, "the cluster upgrade")
    with page.expect_response("**/settle"):
        page.get_by_label("fusion").select_option("convex")
    expect(page.locator(".facts")).to_contain_text("Convex(alpha=0.5)")
    slide(page, "share of meaning", 0.9)
    expect(page.locator(".facts")).to_contain_text("alpha=0.9")


def test_saved_weights_are_there_after_a_reload_and_can_be_taken_back(page: Page) -> None:
    search(page, "the cluster upgrade")
    slide(page, "words", 3)
    page.get_by_role("button", name="Save as settings").click()
    expect(page.locator("#toast")).to_contain_text("Saved")
    page.reload()
    expect(page.locator("#weight-words")).to_have_value("3")
    expect(page.locator(".weights")).to_contain_text("set for the recipe")
    page.get_by_role("button", name="Back to defaults").click()
    expect(page.locator("#weight-words")).to_have_value("1")


def test_the_keyboard_is_enough(page: Page) -> None:
    search(page, "bread")
    page.locator("#q").blur()
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".results h3 a").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".results h3 a").nth(1)).to_be_focused()
    page.keyboard.press("e")
    expect(page.locator(".results > li").nth(1).locator(".sum")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".note h1")).to_be_visible()


def test_filters_narrow_the_search(page: Page) -> None:
    search(page, "the")
    with page.expect_response("**/search"):
        page.get_by_label("tag").fill("baking")
    page.wait_for_timeout(100)
    assert all("baking" in one for one in page.locator(".results .where").all_inner_texts())
    with page.expect_response("**/search"):
        page.get_by_label("changed").select_option("7d")
    expect(page.locator(".count")).to_have_text("Nothing found.")


def test_a_note_shows_its_text_and_its_links(page: Page) -> None:
    search(page, "Upgrading Kubernetes")
    page.get_by_role("link", name="Upgrading Kubernetes").first.click()
    expect(page.locator(".graph .node.own")).to_have_count(1)
    assert page.locator(".graph a.node").count() >= 2
    page.locator(".graph a.node").first.click()
    expect(page.locator(".note h1")).not_to_have_text("Upgrading Kubernetes")


def remember(page: Page, title: str, text: str) -> None:
    page.get_by_role("button", name="Remember").click()
    page.get_by_label("Title").fill(title)
    page.get_by_label("Text").fill(text)
    page.locator("dialog .main").click()
    expect(page.locator(".note h1")).to_have_text(title)


def test_remember_edit_forget_and_undo(page: Page) -> None:
    remember(page, "The key", "It is under the flowerpot.")
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Text").fill("It is under the other flowerpot.")
    page.locator("dialog .main").click()
    expect(page.locator(".markdown")).to_contain_text("the other flowerpot")
    page.get_by_role("button", name="Forget").click()
    expect(page.locator("dialog")).to_contain_text("the other flowerpot")
    page.locator("dialog .main").click()
    expect(page.locator("#toast")).to_contain_text("Forgot one note")
    search(page, "flowerpot")
    assert "The key" not in titles(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".note h1")).to_have_text("The key")
    search(page, "flowerpot")
    assert titles(page)[0] == "The key"


def test_a_note_of_a_folder_is_not_forgotten_here(page: Page) -> None:
    search(page, "Upgrading Kubernetes")
    page.get_by_role("link", name="Upgrading Kubernetes").first.click()
    page.get_by_role("button", name="Forget").click()
    expect(page.locator("#toast")).to_contain_text("change them there")


def test_two_recipes_are_compared_side_by_side(page: Page) -> None:
    page.get_by_role("link", name="Compare").click()
    page.fill("#q", "sourdough starter")
    expect(page.locator(".board section")).to_have_count(2)
    expect(page.locator(".lines path")).not_to_have_count(0)


def test_the_status_page_tells_what_is_held(page: Page) -> None:
    page.get_by_role("link", name="Status").click()
    expect(page.locator(".status")).to_contain_text("30 in notes")
    expect(page.locator(".status")).to_contain_text("hashing")


def test_a_hostile_note_stays_text(page: Page, client: Client) -> None:
    asked: set[str] = set()
    page.on("request", lambda request: asked.add(request.url.split("/")[2]))
    made = {"id": "hostile", "text": HOSTILE, "title": "<img src=x onerror=window.hurt=1>"}
    client.post("/notes", made | {"tags": ["<b>x</b>"]})
    search(page, "hostile words")
    page.get_by_role("link", name="<img src=x").first.click()
    expect(page.locator(".markdown")).to_contain_text("hostile words to be found by")
    page.get_by_text("press").first.click()
    assert page.evaluate("window.hurt") is None
    assert page.locator(".note img, .note script, .note iframe, .note style").count() == 0
    shown = page.locator(".note a").evaluate_all(
        "all => all.map((one) => one.getAttribute('href'))"
    )
    assert not [href for href in shown if re.match(r"(?i)\s*(javascript|data):", href)]
    assert asked == {f"127.0.0.1:{client.port}"}


def test_the_policy_stops_an_inline_script(page: Page) -> None:
    page.evaluate(
        "() => { const s = document.createElement('script'); s.textContent = 'window.hurt = 1';"
        " document.body.append(s); }"
    )
    assert page.evaluate("window.hurt") is None


def test_a_phone_shows_it_without_scrolling_sideways(browser: Browser, client: Client) -> None:
    context = browser.new_context(
        base_url=f"http://127.0.0.1:{client.port}", viewport=PHONE, color_scheme="dark"
    )
    page = context.new_page()
    for place in ("/#/search?q=bread", "/#/compare?q=bread", "/#/status"):
        page.goto(place)
        page.wait_for_selector("html[data-ready]")
        page.wait_for_timeout(200)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], place
    context.close()


def test_every_control_has_a_name(page: Page) -> None:
    search(page, "bread")
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("input, select, textarea, button, a")]
            .filter((one) => !(one.labels?.length || one.textContent.trim() || one.getAttribute("aria-label")))
            .map((one) => one.outerHTML)"""
    )
    assert unnamed == []


def test_a_token_is_asked_for_once(browser: Browser, library: Library) -> None:
    token = make_token(library.store.settings, "alice", None)
    with serving(library, guarded=True) as client:
        context = browser.new_context(base_url=f"http://127.0.0.1:{client.port}")
        page = context.new_page()
        page.goto("/")
        page.get_by_label("This service needs a token").fill(token)
        page.get_by_role("button", name="Use it").click()
        page.wait_for_selector("html[data-ready]")
        search(page, "bread")
        context.close()
