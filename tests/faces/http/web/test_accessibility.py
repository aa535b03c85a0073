"""The page for everyone: names, contrast, order and sight of the focus, small screens, light and dark."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.faces.http.server import Client
from tests.faces.http.web.opened import PHONE, opened, search, with_browser

pytestmark = with_browser

DESK: ViewportSize = {"width": 1280, "height": 860}
PLACES = {
    "start": "/",
    "results": "/#/search?q=upgrade the cluster",
    "nothing": "/#/search?q=bread&tag=coffee&since=7d",
    "compare": "/#/compare?q=sourdough starter",
    "status": "/#/status",
}

CONTRASTS = """() => {
    const parse = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
    const clear = (color) => color === "transparent" || (parse(color).length === 4 && parse(color)[3] === 0);
    const behind = (one) => {
        for (let at = one; at; at = at.parentElement) {
            const color = getComputedStyle(at).backgroundColor;
            if (!clear(color)) return color;
        }
        return "rgb(255, 255, 255)";
    };
    const light = (color) => {
        const [r, g, b] = parse(color).map((part) => part / 255)
            .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (one, two) => {
        const [low, high] = [light(one), light(two)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    };
    const says = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    return [...document.querySelectorAll("body *")]
        .filter((one) => one.checkVisibility() && says(one) && !(one instanceof SVGElement))
        .map((one) => [ratio(getComputedStyle(one).color, behind(one)), one.textContent.trim().slice(0, 40)]);
}"""


def prepare(page: Page) -> None:
    """Everything that opens is open."""
    page.wait_for_timeout(300)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    page.wait_for_timeout(200)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_no_automatic_check_finds_a_barrier(
    browser: Browser, client: Client, place: str, scheme: str
) -> None:
    with opened(browser, client, place, color_scheme=scheme) as page:
        for size in (DESK, PHONE):
            page.set_viewport_size(size)
            prepare(page)
            assert barriers(page) == []


def barriers(page: Page) -> list[tuple[str, list[str]]]:
    found: dict[str, Any] = Axe().run(page).response
    return [(one["id"], [at["html"][:160] for at in one["nodes"]]) for one in found["violations"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_note_and_what_asks_have_no_barrier(
    browser: Browser, client: Client, scheme: str
) -> None:
    with opened(browser, client, "/#/search?q=kubernetes", color_scheme=scheme) as page:
        page.get_by_role("link", name="Upgrading Kubernetes").first.click()
        expect(page.locator(".graph")).to_be_visible()
        assert barriers(page) == []
        page.get_by_role("button", name="Remember").click()
        assert barriers(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_all_text_stands_out_from_its_ground(
    browser: Browser, client: Client, place: str, scheme: str
) -> None:
    """WCAG 1.4.3: at least 4.5 to 1, computed for every text that is shown."""
    with opened(browser, client, place, color_scheme=scheme) as page:
        prepare(page)
        told: list[tuple[float, str]] = page.evaluate(CONTRASTS)
        assert len(told) > 20
        assert [one for one in told if one[0] < 4.5] == []


def test_the_focus_is_seen_wherever_it_goes_and_goes_in_order(page: Page) -> None:
    search(page, "bread")
    page.locator("#q").focus()
    visited = []
    for _ in range(22):
        page.keyboard.press("Tab")
        told = page.evaluate(
            """() => {
                const one = document.activeElement;
                const style = getComputedStyle(one);
                const box = one.getBoundingClientRect();
                return [one.id || one.textContent.trim().slice(0, 20), style.outlineStyle,
                        parseFloat(style.outlineWidth), box.width > 0 && box.height > 0];
            }"""
        )
        visited.append(told[0])
        assert told[1:3] == ["solid", 3], told
        assert told[3], told
    wanted = ["Search", "Compare", "Status", "remember", "recipe", "space", "since", "tag"]
    wanted += ["session", "project", "Weights", "weight-words", "weight-meaning", "fusion", "k"]
    assert [one for one in visited if one in wanted] == wanted


def test_the_way_past_the_header_keeps_the_question(page: Page) -> None:
    search(page, "bread")
    page.locator("#skip").focus()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    expect(page.locator("#q")).to_have_value("bread")
    assert "q=bread" in page.url


def test_how_many_were_found_is_told_to_who_cannot_see_it(page: Page) -> None:
    search(page, "bread")
    count = page.locator(".count")
    expect(count).to_have_attribute("role", "status")
    expect(count).to_contain_text("candidates")
    page.get_by_label("words", exact=True).fill("0")
    expect(count).to_contain_text("moved")


def test_every_control_has_a_name(page: Page) -> None:
    search(page, "bread")
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("input, select, textarea, button, a, summary")]
            .filter((one) => !(one.labels?.length || one.textContent.trim() || one.getAttribute("aria-label")))
            .map((one) => one.outerHTML)"""
    )
    assert unnamed == []


def test_a_phone_shows_everything_without_scrolling_sideways(
    browser: Browser, client: Client
) -> None:
    with opened(browser, client, viewport=PHONE, color_scheme="dark") as page:
        for place in (*PLACES.values(), f"/#/note/{client.found('kubernetes')[0]}"):
            page.evaluate("place => { location.hash = place; }", place.lstrip("/"))
            prepare(page)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= PHONE["width"], place


def test_on_a_phone_the_weights_stand_before_what_they_reorder(
    browser: Browser, client: Client
) -> None:
    with opened(browser, client, "/#/search?q=the cluster upgrade", viewport=PHONE) as page:
        expect(page.locator("#weight-words")).not_to_be_visible()
        page.get_by_text("Weights", exact=True).click()
        page.get_by_label("words", exact=True).fill("0")
        page.wait_for_selector(".moved")
        weights, first = (
            page.locator(one).first.bounding_box() for one in (".weights", ".results > li")
        )
        assert weights and first
        assert weights["y"] + weights["height"] <= first["y"] < PHONE["height"]
