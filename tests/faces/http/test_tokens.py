"""Tokens: who may ask, and what each of them sees, on every address there is."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from recollect.faces.http.tokens import OWNER, caller_with, make_token, revoke_token
from recollect.open import Library
from tests.faces.http.server import Client, Reply, serving

OPEN = {"/healthz", "/readyz"}
HIDDEN = "flowerpot-of-bob"

NOTE = {"text": "x", "space": "bob"}
BODIES: dict[str, Any] = {
    "POST /search": {"query": "flowerpot", "scope": {"spaces": ["bob"]}},
    "POST /search/{search_id}/settle": {},
    "PATCH /settings": {"keywordWeight": 5},
    "POST /episodes": {"session": "1", "user": "x", "space": "bob", "id": "said"},
    "POST /notes": NOTE | {"id": "his"},
    "POST /notes/batch": {"notes": [NOTE | {"id": "his"}]},
    "POST /notes/forget": {"ids": ["his", "said"]},
    "PUT /notes/{note_id}": {"text": "taken over", "space": "alice"},
    "PATCH /notes/{note_id}": {"text": "changed"},
    "POST /notes/{note_id}/used": {},
    "POST /sessions": {"id": "1", "space": "bob", "title": "renamed"},
    "PATCH /sessions/{session}": {"title": "renamed", "project": None},
    "POST /projects": {"id": "p", "space": "bob", "title": "renamed"},
    "PATCH /projects/{project}": {"title": "renamed"},
    "POST /recollect": {"prompt": "flowerpot", "session": "1", "spaces": ["bob"]},
}
"""What somebody who may not see it would send to reach what is in the space `bob`."""
REFUSED = (403, 404, 409)


@pytest.fixture
def guarded(library: Library) -> Iterator[tuple[Client, Library]]:
    with serving(library, guarded=True) as client:
        yield client, library


def bearing(client: Client, token: str) -> Client:
    return Client(client.port, {"Authorization": f"Bearer {token}"})


def test_without_a_token_only_health_and_the_page_are_answered(
    guarded: tuple[Client, Library],
) -> None:
    client, _ = guarded
    assert [client.get(path).status for path in ("/healthz", "/readyz", "/")] == [200] * 3
    for path in ("/settings", "/notes", "/metrics", "/status", "/recipes", "/sessions"):
        refused = client.get(path)
        assert (refused.status, refused.headers["www-authenticate"]) == (401, "Bearer")
    assert bearing(client, "rcl_guess").get("/settings").status == 401


def test_a_token_is_worth_nothing_once_it_is_revoked(guarded: tuple[Client, Library]) -> None:
    client, library = guarded
    own = bearing(client, make_token(library.store.settings, "alice", None))
    assert own.get("/settings").status == 200
    revoke_token(library.store.settings, "alice")
    assert own.get("/settings").status == 401


def test_a_first_token_closes_an_open_service(client: Client, library: Library) -> None:
    assert client.get("/settings").status == 200
    make_token(library.store.settings, "alice", None)
    assert client.get("/settings").status == 401


def filled(client: Client) -> Client:
    """Bob's things, each with the secret in it."""
    note = {"id": "his", "text": HIDDEN, "title": HIDDEN, "path": HIDDEN, "tags": [HIDDEN]}
    assert client.post("/notes", note | {"space": "bob"}).status == 201
    client.say("said", "1", HIDDEN, space="bob", project="p")
    client.post("/notes", {"id": "hers", "text": "a flowerpot", "space": "alice"})
    assert client.patch("/sessions/1?space=bob", {"title": HIDDEN}).status == 200
    assert client.patch("/projects/p?space=bob", {"title": HIDDEN}).status == 200
    assert client.patch("/settings?space=bob&session=1", {"keywordWeight": 2}).status == 200
    client.until_embedded()
    return client


def held(client: Client) -> list[Any]:
    """Everything that is in Bob's space."""
    return [
        client.get(path, space="bob").body
        for path in ("/notes", "/sessions", "/projects", "/filters")
    ] + [client.get("/settings", space="bob", session=1).body, client.get("/settings").body]


def addressed(
    client: Client, method: str, path: str, about: dict[str, Any], search_id: str
) -> Reply:
    """The request that aims at Bob's things, whatever the address takes."""
    names = {"note_id": "his", "session": "1", "project": "p", "search_id": search_id}
    known = {one["name"] for one in about.get("parameters", ()) if one["in"] == "query"}
    aimed = {"space": "bob", "q": "flowerpot", "session": "1"}
    asked = {name: value for name, value in aimed.items() if name in known}
    given = "?" + urlencode(asked) if asked else ""
    return client.send(method, path.format(**names) + given, BODIES.get(f"{method} {path}"))


def operations(client: Client) -> list[tuple[str, str, dict[str, Any]]]:
    paths = client.get("/openapi.json").body["paths"]
    found = [(m.upper(), path, about) for path, own in paths.items() for m, about in own.items()]
    assert {f"{m} {path}" for m, path, about in found if "requestBody" in about} <= set(BODIES)
    return found


def test_every_address_asks_for_a_token(guarded: tuple[Client, Library]) -> None:
    client, _ = guarded
    for method, path, about in operations(client):
        reply = addressed(client, method, path, about, "none")
        assert reply.status == (200 if path in OPEN else 401), (method, path)


def test_no_address_lets_a_token_reach_another_space(guarded: tuple[Client, Library]) -> None:
    client, library = guarded
    everyone = filled(bearing(client, make_token(library.store.settings, "root", None)))
    alice = bearing(client, make_token(library.store.settings, "alice", ["alice"]))
    search_id = everyone.search("flowerpot", explain=True)["search_id"]
    before = held(everyone)
    assert HIDDEN in json.dumps(before)
    answered = []
    for method, path, about in operations(client):
        reply = addressed(alice, method, path, about, search_id)
        assert HIDDEN not in json.dumps(reply.body), (method, path)
        if reply.status not in REFUSED:
            answered.append(f"{method} {path}")
    assert held(everyone) == before
    assert set(answered) == {
        "GET /healthz",
        "GET /readyz",
        "GET /recipes",
        "GET /spaces",
        "POST /notes/forget",
    }


def test_a_token_finds_and_lists_its_own_space_alone(guarded: tuple[Client, Library]) -> None:
    client, library = guarded
    filled(bearing(client, make_token(library.store.settings, "root", None)))
    alice = bearing(client, make_token(library.store.settings, "alice", ["alice"]))
    assert alice.found("flowerpot") == ["hers"]
    assert [one["id"] for one in alice.get("/notes").body["notes"]] == ["hers"]
    assert alice.get("/spaces").body == {"spaces": ["alice"]}
    assert alice.get("/filters").body == {"tags": [], "sessions": [], "projects": []}
    assert alice.post("/notes/forget", {"ids": ["his"]}).body == {"notes": [], "removed": 0}


def test_a_token_is_kept_as_a_digest_only(library: Library) -> None:
    settings = library.store.settings
    token = make_token(settings, "alice", ["a"])
    assert token not in json.dumps(dict(settings.settings(OWNER)))
    found = caller_with(settings, token)
    assert found is not None
    assert (found.name, found.spaces) == ("alice", frozenset({"a"}))
    assert caller_with(settings, token[:-1]) is None
