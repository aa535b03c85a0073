"""Indexing folders from the command line, visit after visit."""

import shutil
from pathlib import Path

from recollect.faces.cli.commands import Exit
from recollect.model.query import Scope
from recollect.open import open_library
from tests.faces.conftest import Person

MANY = 40


def counts(person: Person) -> dict[str, int]:
    [report] = person.index("--json").json["folders"]
    names = ("added", "changed", "renamed", "removed", "unchanged", "written")
    return {name: report[name] for name in names if report[name]}


def test_json_tells_what_was_done(person: Person) -> None:
    person.write("a.md", "[[b]] and [[nowhere]]")
    person.write("b.md", "b")
    shape = person.index("--json").json
    [report] = shape["folders"]
    assert report.pop("seconds") >= 0
    assert report == {
        "space": "my nötes",
        "added": 2,
        "changed": 0,
        "renamed": 0,
        "removed": 0,
        "unchanged": 0,
        "written": 2,
        "links": 1,
        "unresolved_links": 1,
    }
    assert shape["embedded"] == 2


def test_a_second_visit_writes_nothing(vault: Person) -> None:
    assert counts(vault) == {"unchanged": 3}
    assert vault.index("--json").json["embedded"] == 0


def test_only_what_changed_is_written(vault: Person) -> None:
    vault.write("river.md", "# River\nThe river is a lake now.\n")
    vault.write("new.md", "new")
    assert counts(vault) == {"added": 1, "changed": 1, "unchanged": 2, "written": 2}
    assert vault.finds("lake") == ["river.md"]


def test_a_removed_file_goes(vault: Person) -> None:
    (vault.notes / "sub" / "räuber.md").unlink()
    assert counts(vault)["removed"] == 1
    assert vault.finds("Fuchs") == []


def test_a_rename_keeps_the_note_and_its_history_of_use(vault: Person) -> None:
    before = vault.types("get", "sub/räuber.md", "--json").json
    (vault.notes / "sub" / "räuber.md").rename(vault.notes / "thief.md")
    assert counts(vault)["renamed"] == 1
    after = vault.types("get", "thief.md", "--json", "--no-count").json
    assert after["id"] == before["id"]
    with open_library(vault.store, model=None) as library:
        facts = library.store.shelf.facts([after["id"]])[after["id"]]
    assert facts.usage.access_count == 1


def test_an_emptied_folder_is_refused_and_then_forgotten_on_request(vault: Person) -> None:
    for note in vault.notes.rglob("*.md"):
        note.unlink()
    said = vault.index()
    assert said.code == Exit.USAGE
    assert "3 are known" in said.err
    assert vault.finds("fox") == ["fox.md"]
    way_out = said.err.partition("recollect forget ")[2]
    assert "--everything --space my nötes" in way_out
    assert vault.types("forget", "--everything", "--space", "my nötes", "--yes").code == Exit.OK
    assert vault.index().code == Exit.OK


def test_a_folder_is_indexed_again_without_being_named(vault: Person) -> None:
    vault.write("new.md", "a heron")
    assert vault.types("index", "--model", "none").code == Exit.OK
    assert vault.finds("heron") == ["new.md"]


def test_what_is_no_folder_leaves_no_store_behind(person: Person) -> None:
    for words in (["index", "nowhere"], ["watch", "nowhere"], ["index", "--model", "gpt", "."]):
        said = person.types(*words)
        assert said.code == Exit.USAGE
        assert words[1] in said.err or "'gpt'" in said.err
    said = person.types("index")
    assert said.code == Exit.FAILED
    assert "recollect index FOLDER" in said.err
    assert not person.store.exists()


def test_a_store_without_folders_asks_for_one(person: Person) -> None:
    person.types("init")
    said = person.types("index")
    assert said.code == Exit.USAGE
    assert "recollect index ~/notes" in said.err


def test_a_space_stays_with_its_folder(vault: Person) -> None:
    other = vault.home / "other"
    other.mkdir()
    (other / "a.md").write_text("a")
    said = vault.types("index", str(other), "--space", "my nötes", "--model", "none")
    assert said.code == Exit.USAGE
    assert str(vault.notes) in said.err
    assert vault.finds("fox") == ["fox.md"]


def test_a_folder_that_moved_keeps_its_space(vault: Person) -> None:
    moved = vault.notes.rename(vault.home / "moved")
    said = vault.types("index", str(moved), "--space", "my nötes", "--model", "none", "--json")
    assert said.json["folders"][0]["unchanged"] == 3


def test_folders_of_one_name_get_spaces_of_their_own(person: Person) -> None:
    roots = [person.home / parent / "notes" for parent in ("one", "two")]
    for root in roots:
        root.mkdir(parents=True)
        (root / "a.md").write_text(f"heron of {root.parent.name}")
    said = person.types("index", *map(str, roots), "--model", "none", "--json")
    assert [report["space"] for report in said.json["folders"]] == ["notes", "notes-2"]
    assert len(person.finds("heron")) == 2


def test_one_folder_that_is_away_does_not_stop_the_others(vault: Person) -> None:
    other = vault.home / "other"
    other.mkdir()
    (other / "a.md").write_text("a")
    vault.types("index", str(other), "--model", "none")
    shutil.rmtree(other)
    vault.write("new.md", "a heron")
    said = vault.types("index", "--model", "none")
    assert said.code == Exit.FAILED
    assert str(other) in said.err
    assert vault.finds("heron") == ["new.md"]


def test_one_name_for_several_folders_is_refused(person: Person) -> None:
    for name in "ab":
        (person.home / name).mkdir()
    said = person.types("index", "a", "b", "--space", "both")
    assert said.code == Exit.USAGE
    assert "'both'" in said.err


def test_wrong_settings_are_named(vault: Person) -> None:
    vault.write(".recollect/config.toml", "[retrieval]\nrrf_k = -1\n")
    said = vault.index()
    assert said.code == Exit.USAGE
    assert "rrf_k" in said.err
    assert "-1" in said.err


def test_trouble_with_files_is_summed_up_and_not_fatal(person: Person) -> None:
    person.write("good.md", "a heron")
    (person.notes / "bad.md").write_bytes(b"a \x00 b")
    said = person.index()
    assert said.code == Exit.OK
    assert "binary" in said.err
    assert person.finds("heron") == ["good.md"]


def test_quiet_says_nothing_and_a_pipe_gets_no_bar(person: Person) -> None:
    for number in range(MANY):
        person.write(f"{number}.md", f"note {number}")
    quiet = person.index("--quiet")
    assert quiet.out == quiet.err == ""
    person.write("0.md", "again")
    usual = person.index()
    assert "\r" not in usual.out + usual.err
    assert "\x1b" not in usual.out + usual.err
    assert "1 changed" in usual.out


def test_init_writes_settings_that_can_be_read_and_keeps_them(person: Person) -> None:
    person.write("a.md", "a")
    said = person.types("init", str(person.notes))
    config = person.notes / ".recollect" / "config.toml"
    assert str(config) in said.out
    config.write_text("[vault]\npassage_size = 100\n")
    assert f"kept {config}" in person.types("init", str(person.notes)).out
    assert person.index().code == Exit.OK
    assert person.types("init", "nowhere").code == Exit.USAGE


def test_a_better_model_takes_over_once_it_covers_everything(
    person: Person, tmp_path: Path
) -> None:
    """`static` stands for the better one here: what counts is whose vectors are there."""
    person.write("a.md", "a heron")
    person.index()
    before = person.types("status", "--json").json
    assert before["serving"] == "hashing-256"
    assert before["successor"] == "wordllama-l2-supercat-256"
    assert before["waiting"] == 1
    assert "heron" in person.types("search", "heron").out
    assert person.types("index", "--quiet").code == Exit.OK
    after = person.types("status", "--json").json
    assert (after["serving"], after["waiting"]) == ("wordllama-l2-supercat-256", 0)
    assert {one["identity"] for one in after["models"]} == {before["serving"], after["serving"]}


def test_every_note_of_the_folder_is_in_its_space(vault: Person) -> None:
    with open_library(vault.store, model=None) as library:
        assert library.spaces() == ("my nötes",)
        assert library.ask("fox", scope=Scope.of("elsewhere")).results == ()
