"""`POST /search`, and settling again what was gathered."""

import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from recollect.encoders.hashing import Hashing
from recollect.open import open_library
from recollect.recipes.shelf import KNOWN
from tests.faces.http.server import Client, serving

NOTES = [
    {"id": "fox", "text": "the quick brown fox jumps over the lazy dog", "title": "Fox"},
    {"id": "dog", "text": "a lazy dog sleeps; dog, dog, dog", "title": "Dog", "tags": ["pet"]},
    {"id": "hen", "text": "the hen fears the fox", "title": "Hen", "links": [{"target": "fox"}]},
]
BOTH = {"words": 1, "meaning": 1}


class Dawdling(Hashing):
    """A model that is somewhere else, and slow."""

    may_wait = True

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        time.sleep(2)
        return super().embed(texts)


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


@pytest.mark.parametrize(
    ("body", "allowed"),
    [
        ({"limit": 0}, "0 is not a whole number from 1 to 1000"),
        ({"limit": 1001}, "1001 is not a whole number from 1 to 1000"),
        ({"limit": "ten"}, "'ten' is not a whole number from 1 to 1000"),
        ({"floor": 2}, "2 is not a number from 0 to 1"),
        ({"deadline_ms": 0}, "0 is not a number from 1 to 600000"),
        ({"weights": {"words": -1}}, "-1 is not a number from 0 to 5"),
        ({"fusion": {"method": "rrf", "k": -1}}, "-1 is not a number from 0 to 10000"),
        ({"mode": "fast"}, "'auto', 'bm25', 'semantic' or 'hybrid'"),
    ],
)
def test_a_refusal_tells_the_whole_range(farm: Client, body: Any, allowed: str) -> None:
    refused = farm.post("/search", {"query": "x", **body}).body
    assert allowed in refused["detail"]
    assert refused["errors"][0]["field"] == refused["field"]


def test_a_query_string_is_held_to_the_same_ranges(farm: Client) -> None:
    for value in ("0", "1001", "ten", "1e3", "-1", "9" * 30):
        refused = farm.get("/notes", limit=value)
        assert (refused.status, refused.body["field"]) == (422, "limit")
        assert "is not a whole number from 1 to 1000" in refused.body["detail"]


def test_every_parameter_does_what_it_says(farm: Client) -> None:
    plain = farm.search("lazy fox", recipe="hybrid")
    assert plain["trace"]["recipe"] == "hybrid"
    assert len(farm.search("lazy fox", recipe="hybrid", limit=1)["results"]) == 1
    by_words = farm.search("lazy fox", recipe="hybrid", mode="bm25")
    assert set(by_words["trace"]["leg_counts"]) == {"words"}
    by_meaning = farm.search("lazy fox", recipe="hybrid", weights={"words": 0})
    assert set(by_meaning["trace"]["leg_counts"]) == {"meaning"}
    newest = farm.search("lazy fox", recipe="hybrid", sort_by="recency")["results"]
    stamps = [one["modified_at"] for one in newest]
    assert stamps == sorted(stamps, reverse=True)
    assert farm.search("lazy fox", recipe="hybrid", floor=1.0)["trace"]["below_floor"] > 0
    unfound = farm.search("zzzzzz", recipe="brain", skip_retry_ladder=True)
    assert unfound["trace"]["attempts"] == []
    assert farm.search("zzzzzz", recipe="brain")["trace"]["attempts"] != []
    fused = farm.search("lazy fox", recipe="hybrid", fusion={"method": "rrf", "k": 1})
    assert fused["trace"]["fusion"] == "RRF(k=1.0, ranks='position')"
    explained = farm.search("lazy fox", recipe="hybrid", explain=True)
    assert explained["settings"]["keywordWeight"] == {"value": 1.0, "source": "default"}
    assert explained["search_id"]


def test_a_deadline_that_cannot_be_kept_is_told_with_what_was_missed(
    tmp_path: Path,
) -> None:
    with open_library(tmp_path / "slow.db", model=None) as library:
        library.embedder = library.successor = Dawdling()
        with serving(library) as client:
            client.post("/notes", {"id": "a", "text": "a flowerpot"})
            answer = client.search("flowerpot", recipe="hybrid", deadline_ms=100)
            assert [one["note_id"] for one in answer["results"]] == ["a"]
            assert [(one["part"], one["code"]) for one in answer["degraded"]] == [
                ("meaning", "late")
            ]


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
    assert re.search(r"^recollect_index_bytes \d", text, re.MULTILINE)
    assert re.search(r"^recollect_store_bytes [1-9]", text, re.MULTILINE)


def test_metrics_and_status_tell_what_answers_did_without(tmp_path: Path) -> None:
    with open_library(tmp_path / "s.db", model=None) as library, serving(library) as client:
        client.post("/notes", {"text": "a fox"})
        client.search("fox", recipe="hybrid", mode="hybrid")
        text = client.get("/metrics").body
        assert 'recollect_degraded_total{part="meaning",code="absent"} 1' in text
        [told] = client.get("/status").body["service"]["degraded"]
        assert (told["part"], told["count"], bool(told["why"])) == ("meaning", 1, True)


def test_a_store_that_is_sound_is_told_so(farm: Client) -> None:
    found = farm.get("/status/findings").body["findings"]
    assert {one["level"] for one in found} == {"ok"}
    assert "the file is sound" in [one["what"] for one in found]
