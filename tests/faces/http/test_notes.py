"""Notes over HTTP: made, read, changed, removed, and put back."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from recollect.open import Library, open_library
from tests.faces.http.server import Client, serving


def make(client: Client, note_id: str, text: str, **rest: Any) -> dict[str, Any]:
    reply = client.post("/notes", {"id": note_id, "text": text, **rest})
    assert reply.status == 201, reply.body
    body: dict[str, Any] = reply.body
    return body


def test_a_note_is_read_as_it_was_made(client: Client) -> None:
    made = make(client, "a", "text", title="T", tags=["x"], importance="high")
    assert client.get("/notes/a").body == made
    assert (made["importance"], made["space"]) == (0.75, "memory")


def test_only_what_is_named_changes(client: Client) -> None:
    before = make(client, "a", "old text", title="T", tags=["x"])
    after = client.patch("/notes/a", {"text": "new text"}).body
    assert (after["text"], after["title"], after["tags"]) == ("new text", "T", ["x"])
    assert after["created_at"] == before["created_at"]
    assert client.found("new") == ["a"]
    assert client.patch("/notes/a", {"text": None}).status == 422


def test_changes_of_one_note_side_by_side_are_all_kept(client: Client) -> None:
    make(client, "a", "text")
    changes = [{"title": "T"}, {"summary": "S"}, {"tags": ["x"]}, {"path": "p.md"}]
    with ThreadPoolExecutor(4) as pool:
        assert {one.status for one in pool.map(partial(client.patch, "/notes/a"), changes)} == {200}
    after = client.get("/notes/a").body
    assert (after["title"], after["summary"], after["tags"], after["path"]) == (
        *("T", "S", ["x"], "p.md"),
    )


def test_a_forgotten_note_can_be_put_back_as_it_was(client: Client) -> None:
    make(client, "b", "points here", links=[{"target": "a"}])
    make(client, "a", "to be forgotten", title="T", tags=["x"], created_at="2025-01-02")
    gone = client.send("DELETE", "/notes/a").body
    assert client.get("/notes/a").status == 404
    assert client.send("PUT", "/notes/a", gone).body == gone
    assert client.get("/notes/a").body == gone
    assert client.found("forgotten", mode="bm25") == ["a"]


def test_forgetting_many_is_shown_first(client: Client) -> None:
    make(client, "a", "one")
    make(client, "b", "two")
    shown = client.post("/notes/forget", {"ids": ["a", "b", "c"], "dry_run": True}).body
    assert ([one["id"] for one in shown["notes"]], shown["removed"]) == (["a", "b"], 0)
    assert client.post("/notes/forget", {"ids": ["a", "b"]}).body["removed"] == 2
    assert client.post("/notes/batch", {"notes": shown["notes"]}).status == 201
    assert client.get("/notes/b").body["text"] == "two"


def test_a_batch_is_all_or_nothing(client: Client) -> None:
    notes = [{"id": "a", "text": "fine"}, {"id": "b", "text": ""}]
    refused = client.post("/notes/batch", {"notes": notes})
    assert (refused.status, refused.body["field"]) == (422, "notes.1.text")
    assert client.get("/notes/a").status == 404


def test_neighbours_are_told_in_both_directions(client: Client) -> None:
    make(client, "a", "x", links=[{"target": "b", "kind": "supersedes"}, {"target": "nobody"}])
    make(client, "b", "y")
    make(client, "c", "z", links=[{"target": "b"}], space="elsewhere")
    told = client.get("/notes/b/neighbours").body
    assert ([one["id"] for one in told["incoming"]], told["outgoing"]) == (["a"], [])
    assert told["incoming"][0]["kind"] == "supersedes"
    assert [one["id"] for one in client.get("/notes/a/neighbours").body["outgoing"]] == ["b"]


def test_notes_are_listed_newest_first_page_by_page(client: Client) -> None:
    for day in (1, 2, 3):
        make(client, f"n{day}", "x", created_at=f"2026-01-0{day}")
    page = client.get("/notes", limit=2).body
    assert ([one["id"] for one in page["notes"]], page["more"]) == (["n3", "n2"], True)


def test_the_notes_of_a_folder_are_changed_in_the_folder(
    library: Library, client: Client, tmp_path: Path
) -> None:
    folder = tmp_path / "vault"
    folder.mkdir()
    (folder / "a.md").write_text("a note")
    library.index_folder(folder, "vault")
    note_id = library.find("a.md").id
    for refused in (
        client.patch(f"/notes/{note_id}", {"text": "other"}),
        client.send("DELETE", f"/notes/{note_id}"),
        client.post("/notes", {"text": "x", "space": "vault"}),
        client.post("/notes/forget", {"ids": [note_id]}),
    ):
        assert refused.status == 409
    assert library.find("a.md").text == "a note"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"text": "x", "importance": 2}, "importance"),
        ({"text": "x", "importance": "huge"}, "importance"),
        ({"text": "x", "id": "a/b"}, "id"),
        ({"text": "x", "created_at": "0001-01-01"}, "created_at"),
        ({"text": "x", "tags": "one"}, "tags"),
        ({"text": 3}, "text"),
    ],
)
def test_a_bad_note_is_named(client: Client, body: Any, field: str) -> None:
    reply = client.post("/notes", body)
    assert (reply.status, reply.body["field"]) == (422, field)


def test_an_id_of_another_space_is_not_taken_over(client: Client) -> None:
    make(client, "a", "mine", space="one")
    assert client.send("PUT", "/notes/a", {"text": "yours", "space": "two"}).status == 409
    assert client.get("/notes/a").body["text"] == "mine"


def test_reading_counts_only_where_it_is_told(client: Client, library: Library) -> None:
    make(client, "a", "x")
    client.get("/notes/a")
    assert library.store.shelf.facts(["a"])["a"].usage.access_count == 0
    client.post("/notes/a/used", {})
    assert library.store.shelf.facts(["a"])["a"].usage.access_count == 1


def test_a_prompt_is_given_its_memories_once(client: Client) -> None:
    make(client, "key", "the key is under the flowerpot")
    client.until_embedded()
    first = client.post("/recollect", {"prompt": "where is the key?", "session": "s"}).body
    assert ([one["id"] for one in first["memories"]], first["news"]) == (["key"], ["key"])
    same = client.post("/recollect", {"prompt": "where is the key?", "session": "s"}).body
    assert (same["skipped"], same["memories"]) == (True, [])
    forced = {"prompt": "where is the key?", "session": "s", "force": True}
    again = client.post("/recollect", forced).body
    assert ([one["id"] for one in again["memories"]], again["news"]) == (["key"], [])


def test_a_prompt_is_given_memories_of_the_asked_projects_only(client: Client) -> None:
    make(client, "red", "the key is under the flowerpot", project="red")
    make(client, "blue", "the key is in the drawer", project="blue")
    client.until_embedded()
    asked = {"prompt": "where is the key?", "session": "s", "projects": ["red"]}
    assert [one["id"] for one in client.post("/recollect", asked).body["memories"]] == ["red"]


def test_a_prompt_that_cannot_be_embedded_is_told(tmp_path: Path) -> None:
    """R1.7"""
    with open_library(tmp_path / "none.db", model=None) as library, serving(library) as client:
        refused = client.post("/recollect", {"prompt": "where?", "session": "s"})
        assert refused.status == 503
        assert "meaning" in refused.body["detail"]
