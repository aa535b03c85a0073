"""`POST /search`, and settling again what was gathered."""

from typing import Any

import pytest

from recollect.recipes.shelf import KNOWN
from tests.faces.http.server import Client

NOTES = [
    {"id": "fox", "text": "the quick brown fox jumps over the lazy dog", "title": "Fox"},
    {"id": "dog", "text": "a lazy dog sleeps; dog, dog, dog", "title": "Dog", "tags": ["pet"]},
    {"id": "hen", "text": "the hen fears the fox", "title": "Hen", "links": [{"target": "fox"}]},
]
BOTH = {"words": 1, "meaning": 1}


@pytest.fixture
def farm(client: Client) -> Client:
    assert client.post("/notes/batch", {"notes": NOTES}).status == 201
    client.until_embedded()
    return client


def test_an_answer_has_the_one_shape(farm: Client) -> None:
    answer = farm.search("lazy dog", limit=2)
    assert {"results", "took_ms", "degraded", "trace"} <= set(answer)
    assert "search_id" not in answer
    best = answer["results"][0]
    assert best["note_id"] == "dog"
    assert set(best["legs"]["words"]) == {"rank", "score", "weight", "contribution"}


def test_the_scope_is_kept(farm: Client) -> None:
    assert farm.found("dog", scope={"tags": ["pet"]}) == ["dog"]
    assert farm.found("dog", scope={"spaces": ["elsewhere"]}) == []
    assert "dog" not in farm.found("dog", scope={"excluded": ["dog"]})
    assert farm.found("dog", scope={"before": "1d"}) == []


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "query"),
        ({"query": ""}, "query"),
        ({"query": "x", "limit": 0}, "limit"),
        ({"query": "x", "limit": 1001}, "limit"),
        ({"query": "x", "mode": "fast"}, "mode"),
        ({"query": "x", "weights": {"words": 9}}, "weights.words"),
        ({"query": "x", "colour": "red"}, "colour"),
        ({"query": "x", "scope": {"since": "yesterday"}}, "scope.since"),
        ({"query": "x", "scope": {"since": "999999y"}}, "scope.since"),
        ({"query": "x", "scope": {"spaces": []}}, "scope.spaces"),
        ({"query": "x", "fusion": {"method": "convex", "k": 3}}, "fusion.k"),
        ({"query": "x", "floor": 2}, "floor"),
        ({"query": "\ud800"}, "query"),
    ],
)
def test_what_cannot_be_used_is_named(farm: Client, body: Any, field: str) -> None:
    reply = farm.post("/search", body)
    assert (reply.status, reply.body["field"]) == (422, field)


def test_unknown_recipes_and_legs_are_named_with_the_known_ones(farm: Client) -> None:
    assert "hybrid" in farm.post("/search", {"query": "x", "recipe": "brian"}).body["detail"]
    reply = farm.post("/search", {"query": "x", "weights": {"luck": 1}})
    assert (
        reply.status,
        "words, meaning" in reply.body["detail"] or "meaning, words" in reply.body["detail"],
    ) == (404, True)


def settled(client: Client, search_id: str, **rest: Any) -> dict[str, Any]:
    reply = client.post(f"/search/{search_id}/settle", rest)
    assert reply.status == 200, reply.body
    body: dict[str, Any] = reply.body
    return body


@pytest.mark.parametrize(
    "fusion",
    [
        {"method": "rrf", "k": 1},
        {"method": "rrf", "k": 60, "ranks": "dense"},
        {"method": "convex", "alpha": 0.2},
        {"method": "distribution"},
        {"method": "weighted"},
    ],
)
@pytest.mark.parametrize("words", [0.0, 0.3, 5.0])
def test_settling_again_gives_what_a_new_search_would_give(
    farm: Client, fusion: dict[str, Any], words: float
) -> None:
    weights = {"words": words, "meaning": 1.0}
    kept = farm.search("lazy fox", recipe="hybrid", explain=True, weights=BOTH)["search_id"]
    again = settled(farm, kept, weights=weights, fusion=fusion)
    anew = farm.search("lazy fox", recipe="hybrid", weights=weights, fusion=fusion)
    assert not again["gathered_again"]
    assert again["results"] == anew["results"]
    assert again["trace"]["fusion"] == anew["trace"]["fusion"]


def test_a_leg_that_was_off_is_asked_when_it_is_wanted(farm: Client) -> None:
    kept = farm.search("lazy fox", recipe="chat", explain=True)
    assert set(kept["trace"]["leg_counts"]) == {"meaning"}
    again = settled(farm, kept["search_id"], weights={"words": 1})
    assert again["gathered_again"]
    assert set(again["trace"]["leg_counts"]) == {"meaning", "words"}
    assert not settled(farm, kept["search_id"], weights={"words": 2})["gathered_again"]


def test_what_was_forgotten_since_is_not_settled_back(farm: Client) -> None:
    kept = farm.search("lazy fox", recipe="hybrid", explain=True)["search_id"]
    farm.send("DELETE", "/notes/dog")
    assert "dog" not in [one["note_id"] for one in settled(farm, kept)["results"]]


def test_a_search_nobody_kept_is_not_found(farm: Client) -> None:
    assert farm.post("/search/none/settle", {}).status == 404


def test_recipes_are_listed_with_their_legs(farm: Client) -> None:
    listed = {one["name"]: one for one in farm.get("/recipes").body["recipes"]}
    assert set(listed) == set(KNOWN)
    assert listed["chat"]["legs"] == {"meaning": 1.0, "words": 0.0}
    assert set(listed["hybrid"]["legs"]) == {"words", "meaning"}


def test_metrics_tell_what_was_asked(farm: Client) -> None:
    farm.search("fox")
    text = farm.get("/metrics").body
    assert 'recollect_requests_total{method="POST",route="/search",status="200"} 1' in text
    assert 'recollect_leg_seconds_count{leg="words"} 1' in text
    assert "recollect_notes 3" in text
