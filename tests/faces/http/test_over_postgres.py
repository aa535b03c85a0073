"""The same service over Postgres: nothing in it knows which store it has."""

from collections.abc import Iterator

import pytest

from recollect.open import Library, open_library
from tests.faces.http.server import Client, serving
from tests.stores.postgres.server import PLAIN, running


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running(PLAIN) as server:
        yield server.address


@pytest.fixture
def library(address: str) -> Iterator[Library]:
    with open_library(address, model="hashing") as opened:
        yield opened


def test_a_round_is_kept_found_moved_and_forgotten(client: Client) -> None:
    client.say("e", "1", "where is the key?", "under the flowerpot", project="p")
    assert [
        one["note_id"] for one in client.get("/episodes/search", q="flowerpot").body["results"]
    ] == ["e"]
    client.until_embedded()
    assert client.found("key flowerpot", session="1") == ["e"]
    assert client.get("/filters").body["projects"][0]["name"] == "p"
    client.patch("/sessions/1", {"project": "q"})
    assert client.get("/filters").body["projects"][0]["name"] == "q"
    gone = client.send("DELETE", "/notes/e").body
    assert client.get("/notes/e").status == 404
    assert client.send("PUT", "/notes/e", gone).body == gone
    assert client.send("DELETE", "/sessions/1").body["episodes_removed"] == 1
    assert client.get("/status").body["notes"] == 0


def test_weights_are_every_processes_and_a_search_is_settled_again(
    client: Client, address: str
) -> None:
    with open_library(address, model=None) as other, serving(other) as second:
        client.patch("/settings", {"keywordWeight": 3})
        assert second.get("/settings").body["keywordWeight"] == 3
        assert second.patch("/settings", {"keywordWeight": 9}).status == 422
        second.patch("/settings", {"keywordWeight": None})
    client.post("/notes", {"id": "a", "text": "the quick fox", "links": [{"target": "b"}]})
    client.post("/notes", {"id": "b", "text": "the lazy fox", "tags": ["pet"]})
    client.until_embedded()
    kept = client.search("lazy fox", recipe="hybrid", explain=True)
    again = client.post(f"/search/{kept['search_id']}/settle", {"weights": {"words": 0}}).body
    assert set(again["trace"]["leg_counts"]) == {"meaning"}
    assert [one["id"] for one in client.get("/notes/b/neighbours").body["incoming"]] == ["a"]
    levels = {one["level"] for one in client.get("/status/findings").body["findings"]}
    assert "error" not in levels
    assert "recollect_notes 2" in client.get("/metrics").body
