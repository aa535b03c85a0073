"""R4.1 and R4.2: weights that change while the service runs."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from recollect.open import Library, open_library
from tests.faces.http.server import Client, serving, started


def test_the_defaults_are_those_of_the_seed(client: Client) -> None:
    """R4.1"""
    assert client.get("/settings").body == {"semanticWeight": 1.0, "keywordWeight": 0.0}


def test_a_change_holds_from_the_next_request_on_and_after_a_restart(
    library: Library, tmp_path: Path
) -> None:
    """R4.2"""
    with serving(library) as client:
        changed = client.patch("/settings", {"keywordWeight": 1.0})
        assert (changed.status, changed.body["keywordWeight"]) == (200, 1.0)
        client.patch("/settings", {"semanticWeight": 0.5, "keywordWeight": 2.0})
        assert client.get("/settings").body == {"semanticWeight": 0.5, "keywordWeight": 2.0}
    with open_library(tmp_path / "store.db", model=None) as again, serving(again) as client:
        assert client.get("/settings").body == {"semanticWeight": 0.5, "keywordWeight": 2.0}


def test_a_change_is_seen_by_another_process_serving_the_same_store(
    client: Client, tmp_path: Path
) -> None:
    """R4.2"""
    with open_library(tmp_path / "store.db", model=None) as other, serving(other) as second:
        client.patch("/settings", {"keywordWeight": 3})
        assert second.get("/settings").body["keywordWeight"] == 3
        second.patch("/settings", {"keywordWeight": 4})
        assert client.get("/settings").body["keywordWeight"] == 4


@pytest.mark.parametrize(
    "changes",
    [
        {"keywordWeight": 5.01},
        {"keywordWeight": -0.01},
        {"keywordWeight": "1"},
        {"keywordWeight": True},
        {"keywordWeight": [1]},
        {"k": 10},
        {"keyword_weight": 1},
        {"semanticWeight": 2, "keywordWeight": 6},
        {"semanticWeight": 2, "unheardOf": 1},
        {"linksWeight": 1},
        [],
        None,
        "keywordWeight",
    ],
)
def test_what_is_out_of_range_mistyped_or_unknown_changes_nothing(
    client: Client, changes: Any
) -> None:
    """R4.2"""
    refused = client.send("PATCH", "/settings", changes)
    assert refused.status == 422
    assert refused.headers["content-type"] == "application/problem+json"
    assert client.get("/settings").body == {"semanticWeight": 1.0, "keywordWeight": 0.0}


def test_a_refusal_names_the_field_and_the_range(client: Client) -> None:
    refused = client.patch("/settings", {"keywordWeight": 7}).body
    assert refused["field"] == "keywordWeight"
    assert refused["detail"] == "keywordWeight: 7 is not a number from 0 to 5"
    unknown = client.patch("/settings", {"linksWeight": 1}).body
    assert "semanticWeight, keywordWeight are" in unknown["detail"]


@pytest.mark.parametrize("raw", [b"{", b"\xff\xfe", b'{"keywordWeight": NaN}', b"", b"[" * 9999])
def test_malformed_json_is_refused(client: Client, raw: bytes) -> None:
    assert client.send("PATCH", "/settings", raw).status in (400, 422)
    assert client.get("/settings").body["keywordWeight"] == 0


def test_changes_side_by_side_are_each_whole(client: Client) -> None:
    """R4.2: two settings changed together are never seen apart."""

    def change(at: int) -> None:
        value = at % 6
        assert client.patch("/settings", {"semanticWeight": value, "keywordWeight": value}).status
        seen = client.get("/settings").body
        assert seen["semanticWeight"] == seen["keywordWeight"]

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(change, range(36)))


def test_changes_from_several_processes_are_each_whole_and_seen_by_all_at_once(
    tmp_path: Path,
) -> None:
    """R4.2: two worker processes over one store; none of them keeps a setting to itself."""
    with ExitStack() as stack:
        store = tmp_path / "store.db"
        workers = [stack.enter_context(started(store, "--model", "none"))[1] for _ in range(2)]

        def change(at: int) -> None:
            value, worker = at % 6, workers[at % 2]
            both = {"semanticWeight": value, "keywordWeight": value}
            assert worker.patch("/settings", both).status == 200
            seen = workers[(at + 1) % 2].get("/settings").body
            assert seen["semanticWeight"] == seen["keywordWeight"]

        with ThreadPoolExecutor(6) as pool:
            list(pool.map(change, range(60)))
        for at, worker in enumerate(workers * 3):
            worker.patch("/settings", {"keywordWeight": at % 6})
            assert [one.get("/settings").body["keywordWeight"] for one in workers] == [at % 6] * 2

        def own(at: int) -> None:
            name = ("semanticWeight", "keywordWeight")[at % 2]
            workers[at % 2].patch("/settings", {name: 4})

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(own, range(8)))
        assert workers[0].get("/settings").body == {"semanticWeight": 4, "keywordWeight": 4}


@pytest.fixture
def talk(client: Client) -> Iterator[Client]:
    client.say("a", "1", "the colour of the door", project="p")
    client.until_embedded()
    yield client


def sources(client: Client, **rest: Any) -> dict[str, Any]:
    found: dict[str, Any] = client.search("door", session="1", explain=True, **rest)["settings"]
    return found


def test_a_request_wins_over_session_over_project_over_recipe_over_default(talk: Client) -> None:
    assert sources(talk)["keywordWeight"] == {"value": 0.0, "source": "default"}
    talk.patch("/settings", {"keywordWeight": 1})
    assert sources(talk)["keywordWeight"] == {"value": 1.0, "source": "recipe"}
    talk.patch("/settings?project=p", {"keywordWeight": 2})
    assert sources(talk)["keywordWeight"] == {"value": 2.0, "source": "project"}
    talk.patch("/settings?session=1", {"keywordWeight": 3})
    assert sources(talk)["keywordWeight"] == {"value": 3.0, "source": "session"}
    asked = sources(talk, weights={"words": 4})
    assert asked["keywordWeight"] == {"value": 4.0, "source": "request"}
    assert asked["semanticWeight"] == {"value": 1.0, "source": "default"}
    assert talk.get("/settings", session=1).body["keywordWeight"] == 3
    assert talk.get("/settings").body["keywordWeight"] == 1


def test_null_takes_a_setting_away_so_that_the_next_level_holds(talk: Client) -> None:
    talk.patch("/settings?project=p", {"keywordWeight": 2})
    talk.patch("/settings?session=1", {"keywordWeight": 3})
    talk.patch("/settings?session=1", {"keywordWeight": None})
    assert talk.get("/settings/sources", session=1).body["keywordWeight"]["source"] == "project"


def test_every_recipe_has_settings_of_its_own(client: Client) -> None:
    changed = client.patch("/settings?recipe=memory", {"linksWeight": 2}).body
    assert changed["linksWeight"] == 2
    assert "linksWeight" not in client.get("/settings").body


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/settings?recipe=brian", 404),
        ("/settings?session=unheard-of", 404),
        ("/settings?project=unheard-of", 404),
        ("/settings?session=1&project=p", 422),
        ("/settings?colour=red", 422),
    ],
)
def test_a_place_that_makes_no_sense_is_refused(client: Client, address: str, status: int) -> None:
    assert client.get(address).status == status
