"""The page in a real browser: what it shows and what it does."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from recollect.faces.cli.demo import QUESTIONS
from recollect.faces.http.tokens import make_token
from recollect.open import Library, open_library
from tests.faces.http.server import Client, serving
from tests.faces.http.web.opened import (
    opened,
    remember,
    search,
    titles,
    with_browser,
)

pytestmark = with_browser


def test_results_come_while_typing_with_marks_trail_and_age(page: Page) -> None:
    page.locator("#q").press_sequentially("sourdough starter", delay=5)
    expect(page.locator(".results mark").get_by_text("starter").first).to_be_visible()
    marked = {one.lower() for one in page.locator(".results mark").all_inner_texts()}
    assert {"sourdough", "starter"} <= marked <= {"sourdough", "starter", "start", "starts"}
    first = page.locator(".results > li").first
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
    expect(first.locator(".links")).to_contain_text("Linked from")
    stages = page.locator(".timeline li:not(.inner) .name").all_inner_texts()
    assert stages == ["gather", "facts", "fuse", "adjust", "rerank", "cut"]
    assert page.locator(".timeline .inner .name").all_inner_texts() == ["words", "meaning"]
    assert all(one.endswith(" ms") for one in page.locator(".timeline .ms").all_inner_texts())


def test_the_ladder_is_shown_when_it_was_climbed(page: Page) -> None:
    search(page, QUESTIONS[2])
    expect(page.locator(".ladder")).to_contain_text("trigram fuzzy")


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
    expect(page.locator(".note h1")).to_be_focused()
    page.go_back()
    expect(page.locator(".results h3 a").nth(1)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".results h3 a").first).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#q")).to_have_value("")


def test_filters_narrow_the_search(page: Page) -> None:
    search(page, "the")
    with page.expect_response("**/search"):
        page.get_by_label("Tag", exact=True).fill("baking")
    page.wait_for_timeout(100)
    assert all("baking" in one for one in page.locator(".results .where").all_inner_texts())
    with page.expect_response("**/search"):
        page.get_by_label("Changed", exact=True).select_option("7d")
    expect(page.locator(".count")).to_have_text("Nothing found.")
    expect(page.locator(".nothing")).to_contain_text("changed last week, tag baking")
    page.get_by_role("button", name="Clear the filters").click()
    page.wait_for_selector(".results > li")
    assert "tag=" not in page.url


def suggested(page: Page, kind: str) -> list[str]:
    choices = page.locator(f"#{kind}s option")
    told: list[str] = choices.evaluate_all(
        "all => all.map((one) => `${one.value}: ${one.textContent}`)"
    )
    return told


def test_filters_suggest_what_there_is(client: Client, browser: Browser) -> None:
    client.post("/projects", {"id": "house", "title": "The house"})
    client.post("/sessions", {"id": "7", "title": "Where things are", "project": "house"})
    client.say("e", "7", "where is the spare key?", "under the flowerpot")
    with opened(browser, client) as page:
        assert "baking: 10 notes in notes" in suggested(page, "tag")
        assert suggested(page, "session") == ["7: Where things are · 1 note in chat"]
        assert suggested(page, "project") == ["house: The house · 1 note in chat"]
        search(page, "key")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.get_by_label("Session", exact=True).press_sequentially("nob")
        page.wait_for_timeout(300)
        assert asked == []  # half a name finds nothing, so nothing is asked yet
        for field, value in (("Session", "7"), ("Project", "house")):
            with page.expect_response("**/search"):
                page.get_by_label(field, exact=True).fill(value)
            expect(page.locator(".results > li")).to_have_count(1)
            expect(page.locator(".results h3")).to_contain_text("where is the spare key?")
            with page.expect_response("**/search"):
                page.get_by_label(field, exact=True).fill("")


def test_a_time_between_two_days_can_be_asked_for(page: Page, client: Client) -> None:
    for day in (1, 2, 3):
        at = f"2026-03-0{day}T12:00:00+00:00"
        client.post("/notes", {"text": f"flowerpot {day}", "title": f"D{day}", "created_at": at})
    page.fill("#q", "flowerpot")
    page.get_by_label("Changed", exact=True).select_option("between")
    page.get_by_label("From", exact=True).fill("2026-03-02")
    with page.expect_response("**/search"):
        page.get_by_label("Until", exact=True).fill("2026-03-02")
    expect(page.locator(".results h3")).to_have_text(["D2"])


def test_a_click_on_a_tag_narrows_to_it(page: Page) -> None:
    search(page, "the")
    with page.expect_response("**/search"):
        page.get_by_role("button", name="#baking").first.click()
    expect(page.get_by_label("Tag", exact=True)).to_have_value("baking")


def test_before_a_question_it_shows_what_changed_last(page: Page) -> None:
    remember(page, "The key", "It is under the flowerpot.")
    page.get_by_role("link", name="Search", exact=True).click()
    expect(page.locator(".recent a").first).to_have_text("The key")
    expect(page.locator(".ways").first).to_contain_text("kube*")


def test_snippets_are_read_without_marks_and_beginnings_are_marked(page: Page) -> None:
    search(page, "upgrad*")
    shown = page.locator(".snippet").all_inner_texts()
    assert not [one for one in shown if "**" in one or "## " in one]
    assert "upgrading" in [one.lower() for one in page.locator("mark").all_inner_texts()]


def test_more_can_be_shown(page: Page) -> None:
    search(page, "the")
    expect(page.locator(".results > li")).to_have_count(20)
    first = titles(page)
    page.get_by_role("button", name="Show more").click()
    expect(page.locator(".results > li")).to_have_count(30)
    assert titles(page)[:20] == first


def test_a_note_shows_its_text_and_its_links(page: Page) -> None:
    search(page, "Upgrading Kubernetes")
    page.get_by_role("link", name="Upgrading Kubernetes").first.click()
    expect(page.locator(".graph .node.own")).to_have_count(1)
    assert page.locator(".graph a.node").count() >= 2
    assert page.locator(".graph .arrow").count() == page.locator(".graph a.node").count()
    expect(page.get_by_role("link", name="Backups › etcd")).to_have_attribute(
        "href", re.compile("#/note/")
    )
    page.locator(".graph a.node").first.click()
    expect(page.locator(".note h1")).not_to_have_text("Upgrading Kubernetes")


def test_remember_edit_forget_and_undo(page: Page) -> None:
    remember(page, "The key", "It is under the flowerpot.")
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Text", exact=True).fill("It is under the other flowerpot.")
    page.locator("dialog .main").click()
    expect(page.locator(".markdown")).to_contain_text("the other flowerpot")
    page.get_by_role("button", name="Forget").click()
    expect(page.locator("dialog")).to_contain_text("the other flowerpot")
    page.locator("dialog .main").click()
    expect(page.locator("#toast")).to_contain_text("Forgot 1 note")
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
    rows = page.locator(".board section").nth(1).locator("li")
    left = page.locator(".board section").first.locator("li")
    places = dict(zip(left.locator("a").all_inner_texts(), range(1, 11), strict=False))
    for rank, row in enumerate(rows.all(), start=1):
        there = places.get(row.locator("a").inner_text())
        told = row.locator(".shift").inner_text().split("\n")[0]
        if there is None:
            assert told == "only here"
        elif there != rank:
            assert told == f"{'▲' if there > rank else '▼'} {abs(there - rank)}"


def test_the_status_page_tells_what_is_held(page: Page) -> None:
    page.get_by_role("link", name="Status").click()
    expect(page.locator(".status")).to_contain_text("30 in notes")
    expect(page.locator(".status")).to_contain_text("hashing")
    expect(page.locator(".findings .ok").first).to_have_text(re.compile("the file is sound"))
    expect(page.locator(".condition")).to_contain_text("All is well")


def test_the_status_page_tells_what_is_degraded_and_why(browser: Browser, tmp_path: Path) -> None:
    with open_library(tmp_path / "s.db", model=None) as library, serving(library) as client:
        client.post("/notes", {"text": "a flowerpot"})
        client.search("flowerpot", recipe="hybrid", mode="hybrid")
        with opened(browser, client, "/#/status") as page:
            expect(page.locator(".condition")).to_contain_text("search goes by words alone")
            expect(page.locator(".condition")).to_contain_text("1 answer did without meaning")


def test_a_service_that_is_gone_is_told_and_back_again_used(page: Page) -> None:
    search(page, "bread")
    page.route("**/search", lambda route: route.abort())
    page.fill("#q", "sourdough")
    expect(page.get_by_role("alert")).to_contain_text("does not answer")
    page.unroute("**/search")
    search(page, "sourdough starter")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_note_that_is_not_there_is_told(browser: Browser, client: Client) -> None:
    with opened(browser, client, "/#/note/nobody") as page:
        expect(page.get_by_role("alert")).to_contain_text("nobody")


def test_a_token_is_asked_for_once(browser: Browser, library: Library) -> None:
    token = make_token(library.store.settings, "alice", None)
    with serving(library, guarded=True) as client:
        context = browser.new_context(base_url=f"http://127.0.0.1:{client.port}")
        page = context.new_page()
        page.goto("/")
        page.get_by_label("This service needs a token").fill("rcl_wrong")
        page.get_by_role("button", name="Use it").click()
        expect(page.get_by_role("alert")).to_contain_text("not known")
        page.get_by_label("This service needs a token").fill(token)
        page.get_by_role("button", name="Use it").click()
        page.wait_for_selector("html[data-ready]")
        search(page, "bread")
        context.close()
