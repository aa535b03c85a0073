"""Text from notes is data: whatever a note says, nothing of it runs or loads."""

import re

from playwright.sync_api import Browser, Page, expect

from tests.faces.http.server import Client
from tests.faces.http.web.opened import opened, search, with_browser

pytestmark = with_browser

IMAGE = "<img src=x onerror=window.hurt=1>"
SCRIPT = "<script>window.hurt=1</script>"
HOSTILE = f"""\
# {IMAGE}

{SCRIPT}
<iframe src="javascript:parent.hurt=1"></iframe>
<a href="javascript:window.hurt=1" onclick="window.hurt=1">html</a>
[press](javascript:window.hurt=1) [data](data:text/html,{SCRIPT})
![remote](http://evil.example/pixel.png) ![[http://evil.example/embed.png]]
<style>body {{ display: none }}</style> [[<b onmouseover=alert(1)>wiki</b>]] `{SCRIPT}`
<svg onload=window.hurt=1> <math><mi href="javascript:window.hurt=1">x</mi></math>
| {IMAGE} | {SCRIPT} |
|---|---|
| <object data=http://evil.example/o> | <embed src=http://evil.example/e> |

## {SCRIPT} <base href=http://evil.example/>

hostile words to be found by
"""


def keep(client: Client) -> None:
    """Hostile wherever a name or a text is kept."""
    note = {"id": "hostile", "text": HOSTILE, "title": IMAGE, "path": f"{SCRIPT}/x.md"}
    more = {"tags": [IMAGE], "session": IMAGE, "project": SCRIPT, "summary": SCRIPT}
    assert client.post("/notes", note | more).status == 201
    linked = {"id": "linking", "text": IMAGE, "title": SCRIPT, "links": [{"target": "hostile"}]}
    assert client.post("/notes", linked).status == 201
    assert client.post("/projects", {"id": "p", "title": SCRIPT}).status == 201
    assert client.post("/sessions", {"id": "s", "title": IMAGE, "project": "p"}).status == 201
    client.say("said", "s", f"hostile words {IMAGE}", SCRIPT)
    client.post("/notes", {"text": "x", "space": IMAGE})


def test_a_hostile_note_stays_text_on_every_page(browser: Browser, client: Client) -> None:
    keep(client)
    with opened(browser, client) as page:
        asked: set[str] = set()
        page.on("request", lambda request: asked.add(request.url.split("/")[2]))
        search(page, "hostile words")
        for summary in page.locator(".results summary").all()[:2]:
            summary.click()
        unhurt(page, ".search")
        for place in ("#/compare?q=hostile words", "#/status", "#/search", "#/note/hostile"):
            page.evaluate("place => { location.hash = place; }", place)
            page.wait_for_timeout(400)
            unhurt(page, "main")
        expect(page.locator(".markdown")).to_contain_text("hostile words to be found by")
        expect(page.locator(".markdown td")).to_have_count(2)
        page.get_by_text("press").first.click()
        page.get_by_role("button", name="Forget").click()
        page.wait_for_selector("dialog")
        unhurt(page, "body")
        assert asked == {f"127.0.0.1:{client.port}"}


def unhurt(page: Page, place: str) -> None:
    assert page.evaluate("window.hurt") is None
    alive = "img:not(.brand img), script, iframe, style, object, embed, math, base"
    inside = page.locator(place).locator(alive)
    sources = inside.evaluate_all("all => all.map((one) => one.getAttribute('src'))")
    assert [one for one in sources if one != "/web/main.js"] == []
    handled = page.locator(place).evaluate(
        "place => [...place.querySelectorAll('*')]"
        ".flatMap((one) => one.getAttributeNames()).filter((name) => name.startsWith('on'))"
    )
    assert handled == []
    links = page.locator(f"{place} a").evaluate_all(
        "all => all.map((one) => one.getAttribute('href'))"
    )
    assert not [href for href in links if re.match(r"(?i)\s*(javascript|data|vbscript):", href)]


def test_the_policy_stops_what_would_get_in_anyway(page: Page) -> None:
    """Were a text ever put in as HTML, the browser still would not run it or load from it."""
    asked: list[str] = []
    page.on("response", lambda reply: asked.append(reply.url))
    page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.hurt = 1";
            document.body.append(script);
            const place = document.createElement("div");
            place.innerHTML = '<img src="http://evil.example/p.png"><img src=x onerror="window.hurt=1">'
                + '<a id="trap" href="javascript:window.hurt=1">x</a><p style="color: red" id="red">x</p>';
            document.body.append(place);
            document.getElementById("trap").click();
        }"""
    )
    page.wait_for_timeout(300)
    assert page.evaluate("window.hurt") is None
    assert not [url for url in asked if "evil.example" in url]
    red = page.evaluate("getComputedStyle(document.getElementById('red')).color")
    assert red != "rgb(255, 0, 0)"
