"""Remembering, forgetting, and taking everything elsewhere."""

import sqlite3
from contextlib import closing

import pytest

from recollect.faces.cli.commands import Exit
from tests.faces.conftest import Person


def remembered(person: Person, *words: str) -> str:
    said = person.types("remember", *words, "--model", "none", "--json")
    assert said.code == Exit.OK, said.err
    assert set(said.json) == {"id", "space", "outcome", "other"}
    return str(said.json["id"])


def test_a_memory_is_found_at_once(person: Person) -> None:
    note_id = remembered(person, "the", "key", "is", "under", "the", "pot", "--tag", "home")
    shape = person.types("get", note_id, "--json").json
    assert shape["text"] == "the key is under the pot"
    assert shape["tags"] == ["home"]
    said = person.types("search", "key", "--json", "--model", "none")
    assert [result["note_id"] for result in said.json["results"]] == [note_id]


@pytest.mark.parametrize(
    ("words", "value", "way_out"),
    [
        ([""], "''", "nothing to remember"),
        (["x", "--importance", "huge"], "'huge'", "low, medium or high"),
        (["x", "--importance", "7"], "7.0", "from 0 to 1"),
        (["half \udce4"], "udce4", "surrogate"),
    ],
)
def test_what_cannot_be_remembered_is_named(
    person: Person, words: list[str], value: str, way_out: str
) -> None:
    said = person.types("remember", "--model", "none", *words)
    assert said.code == Exit.USAGE
    assert value in said.err
    assert way_out in said.err


def test_forgetting_shows_first_and_removes_nothing(vault: Person) -> None:
    said = vault.types("forget", "fox.md")
    assert said.code == Exit.OK
    assert "1 to forget" in said.out
    assert "Fox" in said.out
    assert "--yes" in said.err
    assert "nothing was removed" in said.err
    assert vault.finds("fox") == ["fox.md"]


def test_forgetting_with_yes_removes_exactly_what_was_shown(vault: Person) -> None:
    assert "forgot 1" in vault.types("forget", "fox.md", "--yes").out
    assert vault.finds("fox") == []
    assert vault.finds("river") == ["river.md"]
    assert (vault.notes / "fox.md").exists()


def test_a_forgotten_vault_note_comes_back_with_the_next_index(vault: Person) -> None:
    vault.types("forget", "fox.md", "--yes")
    vault.index()
    assert vault.finds("fox") == ["fox.md"]


def test_forgetting_by_query_and_by_scope_as_json(vault: Person) -> None:
    [fox] = vault.types("forget", "--query", "fox", "--json").json["would_forget"]
    everything = vault.types("forget", "--everything", "--space", "my nötes", "--json").json
    assert fox in everything["would_forget"]
    assert len(everything["would_forget"]) == 3
    done = vault.types("forget", "--query", "fox", "--json", "--yes").json
    assert done == {"forgotten": [fox]}


def test_forgetting_needs_exactly_one_way_to_choose(vault: Person) -> None:
    for words in ([], ["fox.md", "--query", "fox"], ["fox.md", "--everything"]):
        said = vault.types("forget", *words, "--yes")
        assert said.code == Exit.USAGE
        assert "--query WORDS" in said.err
    assert vault.types("forget", "nowhere.md", "--yes").code == Exit.USAGE
    assert vault.types("forget", "--everything", "--space", "elsewhere").code == Exit.USAGE
    assert vault.types("forget", "--query", "xylophone").code == Exit.NOTHING_FOUND
    assert vault.finds("fox") == ["fox.md"]


def test_what_was_exported_is_imported_whole(vault: Person) -> None:
    remembered(vault, "a heron")
    exported = vault.home / "all.jsonl"
    assert vault.types("export", str(exported)).code == Exit.OK
    said = vault.types("import", str(exported), "--store", "copy.db")
    assert said.code == Exit.OK
    assert "4 notes" in said.out
    assert vault.finds("heron", "--store", "copy.db") == [""]
    vault.types("export", "again.jsonl", "--store", "copy.db")
    assert (vault.home / "again.jsonl").read_text() == exported.read_text()


def test_an_export_goes_to_standard_output_and_vectors_are_optional(vault: Person) -> None:
    whole, lean = vault.types("export").out, vault.types("export", "--no-vectors").out
    assert whole.splitlines()[0] == '{"format":"recollect export","version":1}'
    assert '"vector"' in whole
    assert '"vector"' not in lean


def test_a_copy_never_replaces_the_store_or_a_file_of_another_kind(vault: Person) -> None:
    thesis = vault.home / "thesis.doc"
    thesis.write_text("years of work")
    for command in ("export", "backup"):
        for target in ("data/recollect/recollect.db", "thesis.doc", ".", "/dev/full"):
            said = vault.types(command, target)
            assert said.code == Exit.USAGE
            assert target in said.err
    assert thesis.read_text() == "years of work"
    assert vault.finds("fox") == ["fox.md"]


def test_a_newer_copy_replaces_an_older_one(vault: Person) -> None:
    for _ in range(2):
        assert vault.types("backup", "copy.db").code == Exit.OK
        assert vault.types("export", "copy.jsonl").code == Exit.OK
    assert vault.finds("fox", "--store", "copy.db") == ["fox.md"]


@pytest.mark.parametrize("content", [b"no json\n", b"\xff\xfe\n", b"", b'{"format":"other"}\n'])
def test_a_wrong_import_is_named_and_stores_nothing(vault: Person, content: bytes) -> None:
    source = vault.home / "wrong.jsonl"
    source.write_bytes(content)
    said = vault.types("import", "wrong.jsonl")
    assert said.code == Exit.USAGE
    assert "line 1" in said.err or "'wrong.jsonl'" in said.err
    assert vault.finds("fox") == ["fox.md"]


def test_an_import_from_nowhere_leaves_no_store_behind(person: Person) -> None:
    said = person.types("import", "nowhere.jsonl")
    assert said.code == Exit.USAGE
    assert "'nowhere.jsonl'" in said.err
    assert not person.store.exists()


def test_status_tells_what_is_there(vault: Person) -> None:
    shape = vault.types("status", "--json", "--model", "hashing").json
    assert shape["notes"] == shape["passages"] == 3
    assert shape["folders"] == {"my nötes": str(vault.notes)}
    assert shape["serving"] == "hashing-256"
    assert set(shape) == {
        "store", "spaces", "notes", "passages", "links_resolved", "links_unresolved", "models",
        "store_bytes", "index_bytes", "serving", "successor", "waiting", "weak", "folders",
    }  # fmt: skip
    told = vault.types("status", "--model", "hashing").out
    assert "3 in my nötes" in told
    assert "hashing-256: 3 passages" in told
    assert "words only" in vault.types("status", "--model", "none").out


def test_a_sound_store_is_called_sound(vault: Person) -> None:
    for words in (["doctor"], ["doctor", "--thorough"], ["doctor", "--repair"]):
        assert vault.types(*words).code == Exit.OK
    findings = vault.types("doctor", "--json").json
    assert {finding["level"] for finding in findings} <= {"ok", "warn"}
    assert all(set(finding) >= {"level", "what", "way_out"} for finding in findings)


def test_a_broken_store_is_an_exit_code_and_repair_mends_what_is_derived(vault: Person) -> None:
    with closing(sqlite3.connect(vault.store)) as connection, connection:
        connection.execute("DELETE FROM passage_words")
    assert vault.types("doctor", "--thorough").code == Exit.FAILED
    assert vault.types("doctor", "--repair").code == Exit.OK
    assert vault.types("doctor", "--thorough").code == Exit.OK


def test_models_are_listed_and_their_vectors_dropped(vault: Person) -> None:
    rows = vault.types("model", "--json").json
    assert [row["name"] for row in rows if row["auto"]] == ["static"]
    assert "recollect model install minilm" in vault.types("model").out
    assert "3 vectors" in vault.types("model", "drop", "hashing-256").out
    assert vault.types("status", "--json", "--model", "none").json["models"] == []
    for words in (["drop", "hashing-256"], ["install", "gpt"], ["fetch"]):
        said = vault.types("model", *words)
        assert said.code == Exit.USAGE
        assert words[-1] in said.err
