"""R4.3 to R4.6 over HTTP: episodes, sessions and projects."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from recollect.model.query import Scope
from recollect.model.ranking import Hit
from recollect.model.tree import Node
from recollect.open import Library, open_library
from recollect.ports import Words
from tests.faces.http.server import Client, serving


class ListeningWords:
    """The store's own words, and how often they were asked."""

    may_wait = False

    def __init__(self, words: Words) -> None:
        self.words = words
        self.calls = 0
        self.compiled, self.containing = words.compiled, words.containing

    def find(self, query: Node, scope: Scope, depth: int) -> Sequence[Hit]:
        self.calls += 1
        return self.words.find(query, scope, depth)


def test_an_episode_is_found_by_its_words_at_once(client: Client) -> None:
    client.say("e", "1", "where is the key?", "under the flowerpot")
    found = client.get("/episodes/search", q="flowerpot", sessionIds="1,2,3")
    assert [one["note_id"] for one in found.body["results"]] == ["e"]
    assert client.get("/notes/e").body["text"] == "where is the key?\n\nunder the flowerpot"


def test_an_episode_is_found_by_meaning_soon_after(client: Client) -> None:
    client.say("e", "1", "where is the key?", "under the flowerpot")
    client.until_embedded()
    assert client.found("key flowerpot", session="1") == ["e"]


def test_keyword_weight_zero_never_calls_full_text(tmp_path: Path) -> None:
    """R4.3"""
    with open_library(tmp_path / "s.db", model="hashing") as library:
        words = ListeningWords(library.store.words)
        library.store = library.store._replace(words=words)
        with serving(library) as client:
            client.say("e", "1", "a flowerpot")
            client.until_embedded()
            assert client.found("flowerpot", session="1") == ["e"]
            assert words.calls == 0
            client.patch("/settings", {"keywordWeight": 1})
            answer = client.search("flowerpot", session="1")
            assert words.calls == 1
            assert set(answer["results"][0]["legs"]) == {"words", "meaning"}


def test_no_episode_of_keywords_alone_appears_at_weight_zero(tmp_path: Path) -> None:
    """R4.3: what is not embedded can only be found by words."""
    with open_library(tmp_path / "s.db", model=None) as library, serving(library) as client:
        client.say("e", "1", "a flowerpot")
        assert client.found("flowerpot", session="1") == []
        client.patch("/settings", {"keywordWeight": 1})
        assert client.found("flowerpot", session="1") == ["e"]


def test_recent_ids_are_left_out(client: Client) -> None:
    """R4.4"""
    for name in "abc":
        client.say(name, "1", f"flowerpot {name}")
    client.until_embedded()
    scope = {"excluded": ["a", "b"]}
    for weights in ({"words": 0}, {"words": 1}):
        assert client.found("flowerpot", session="1", scope=scope, weights=weights) == ["c"]


def test_a_session_sees_its_project_and_moving_it_moves_that_at_once(client: Client) -> None:
    """R4.5"""
    for session, project in (("1", "p"), ("2", "p"), ("3", None)):
        rest = {} if project is None else {"project": project}
        client.say(f"e{session}", session, "a flowerpot", **rest)
    client.until_embedded()

    def seen(session: str) -> set[str]:
        own = {"weights": {"words": 1}, "session": session}
        return set(client.found("flowerpot", **own))

    assert (seen("1"), seen("3")) == ({"e1", "e2"}, {"e3"})
    assert client.patch("/sessions/3", {"project": "p"}).body["project"] == "p"
    assert seen("3") == {"e1", "e2", "e3"}
    client.patch("/sessions/1", {"project": None})
    assert (seen("1"), seen("2")) == ({"e1"}, {"e2", "e3"})


def test_filters_follow_a_session_that_moves(client: Client) -> None:
    client.post("/projects", {"id": "p", "title": "House"})
    client.post("/sessions", {"id": "1", "title": "Doors", "project": "p"})
    client.say("a", "1", "a flowerpot")
    client.say("b", "1", "another")
    client.say("c", "2", "a third", project="q")
    client.post("/notes", {"text": "x", "tags": ["home", "pot"]})

    def told(kind: str, **rest: str) -> list[tuple[str, str, int]]:
        found = client.get("/filters", **rest).body[kind]
        return [(one["name"], one["title"], one["notes"]) for one in found]

    assert told("sessions") == [("1", "Doors", 2), ("2", "", 1)]
    assert told("projects") == [("p", "House", 2), ("q", "", 1)]
    assert told("tags") == [("home", "", 1), ("pot", "", 1)]
    assert told("tags", space="chat") == []
    client.patch("/sessions/1", {"project": "q"})
    assert told("projects", limit="1") == [("q", "", 3)]


def test_session_ids_are_kept_to(client: Client) -> None:
    """R4.5"""
    for session in "1234":
        client.say(f"e{session}", session, "hello there")
    found = client.get("/episodes/search", q="hello", sessionIds="1,3").body["results"]
    assert {one["session"] for one in found} == {"1", "3"}
    assert len(client.get("/episodes/search", q="hello").body["results"]) == 4
    assert client.get("/episodes/search", q="hello", sessionIds=",").status == 422
    assert client.get("/episodes/search", q="hello", session="1").status == 422


def test_without_a_model_the_answer_says_what_is_missing(tmp_path: Path) -> None:
    """R4.6"""
    with open_library(tmp_path / "s.db", model=None) as library, serving(library) as client:
        client.say("e", "1", "a flowerpot")
        answer = client.search("flowerpot", session="1", weights={"words": 1})
        assert [one["note_id"] for one in answer["results"]] == ["e"]
        assert [one["part"] for one in answer["degraded"]] == ["meaning"]


def test_an_episode_is_never_overwritten(client: Client) -> None:
    client.say("e", "1", "first")
    again = client.post("/episodes", {"id": "e", "session": "1", "user": "second"})
    assert again.status == 409
    assert client.get("/notes/e").body["text"] == "first"


def test_sessions_are_made_listed_renamed_and_removed_with_their_episodes(client: Client) -> None:
    for name in ("b", "a", "c"):
        assert client.post("/sessions", {"id": name, "title": name.upper()}).status == 201
    client.say("e", "a", "a flowerpot")
    first = client.get("/sessions", limit=2).body
    assert ([one["id"] for one in first["sessions"]], first["more"]) == (["a", "b"], True)
    rest = client.get("/sessions", limit=2, offset=2).body
    assert ([one["id"] for one in rest["sessions"]], rest["more"]) == (["c"], False)
    assert client.patch("/sessions/a", {"title": "door"}).body["title"] == "door"
    assert client.send("DELETE", "/sessions/a").body["episodes_removed"] == 1
    assert client.get("/sessions/a").status == 404
    assert client.get("/notes/e").status == 404


def test_projects_are_made_listed_renamed_and_removed_without_their_sessions(
    client: Client,
) -> None:
    client.post("/projects", {"id": "p", "title": "House"})
    client.post("/sessions", {"id": "1", "project": "p"})
    client.post("/sessions", {"id": "2", "project": "q"})
    listed = client.get("/projects").body["projects"]
    assert [(one["id"], one["title"]) for one in listed] == [("p", "House"), ("q", "")]
    assert client.patch("/projects/q", {"title": "Garden"}).body["title"] == "Garden"
    assert client.send("DELETE", "/projects/p").status == 200
    assert client.get("/sessions/1").body["project"] is None
    assert client.get("/projects/p").status == 404


def test_the_episodes_of_a_session_come_newest_first(client: Client) -> None:
    for day in (1, 2, 3):
        client.say(f"e{day}", "1", "hello", created_at=f"2026-01-0{day}")
    page = client.get("/episodes", session="1", limit=2).body
    assert ([one["id"] for one in page["episodes"]], page["more"]) == (["e3", "e2"], True)


@pytest.mark.parametrize("path", ["/sessions/none", "/projects/none", "/notes/none"])
def test_what_is_not_there_is_not_found(client: Client, path: str) -> None:
    for method in ("GET", "DELETE"):
        reply = client.send(method, path)
        assert (reply.status, reply.headers["content-type"]) == (404, "application/problem+json")


def test_a_library_is_untouched_by_reading(library: Library) -> None:
    with serving(library) as client:
        for path in ("/healthz", "/readyz", "/metrics", "/status", "/recipes", "/notes"):
            assert client.get(path).status == 200, path
        assert library.spaces() == ()
