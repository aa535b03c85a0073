"""Weights that are moved on the page: the server settles, the rows move, settings stay."""

from playwright.sync_api import Browser, Page, expect

from recollect.faces.http.keeping import KEPT
from tests.faces.http.server import Client
from tests.faces.http.web.opened import opened, search, slide, titles, with_browser

pytestmark = with_browser


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


def test_rows_glide_to_their_new_places_unless_motion_is_unwanted(
    browser: Browser, client: Client
) -> None:
    gliding = "document.getAnimations().filter((one) => one instanceof Animation && !one.transitionProperty).length"
    for wish, expected in (("no-preference", True), ("reduce", False)):
        with opened(browser, client, reduced_motion=wish) as page:
            search(page, "the cluster upgrade at night")
            page.evaluate(
                "() => { window.seen = 0; const count = () => {"
                f" window.seen = Math.max(window.seen, {gliding}); requestAnimationFrame(count); }};"
                " count(); }"
            )
            slide(page, "words", 0)
            page.wait_for_selector(".moved")
            page.wait_for_timeout(100)
            assert (page.evaluate("window.seen") > 0) is expected


def test_settling_goes_on_where_the_server_keeps_the_search_no_more(
    page: Page, client: Client
) -> None:
    """Another worker may answer, or many searches may have come between."""
    search(page, "the cluster upgrade at night")
    for at in range(KEPT):
        client.search(f"other {at}", explain=True, limit=1)
    with page.expect_response(lambda reply: reply.url.endswith("/search")):
        page.get_by_label("words", exact=True).fill("0")
    page.wait_for_selector(".moved")
    expect(page.locator("#weight-words")).to_have_value("0")
