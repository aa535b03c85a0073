"""A vault visited again: only what changed is read, ids outlive edits and renames, links heal."""

import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from recollect.ingest.config import FolderSettings
from recollect.ingest.record import FileRecord
from recollect.model.note import Link
from tests.vault.conftest import Indexed

LONG_AGO = 1_600_000_000


def aged(place: Path, seconds: int = LONG_AGO) -> None:
    os.utime(place, (seconds, seconds))


def links(vault: Indexed, path: str) -> set[str]:
    by_id = {note.id: note.path for note in vault.notes.values()}
    return {by_id[link.target] for link in vault.by_path()[path].links}


def test_a_note_says_what_its_file_says(vault: Indexed) -> None:
    aged(
        vault.write("a/Plan.md", "---\ntags: [x]\naliases: [P]\ndescription: D\n---\nText [[b]]\n")
    )
    vault.write("b.md", "# B\n")
    vault.visit()
    note = vault.by_path()["a/Plan.md"]
    assert (note.title, note.text, note.tags) == ("Plan", "Text [[b]]\n", ("x",))
    assert note.summary == "D Also called P."
    assert note.modified_at == note.created_at == datetime.fromtimestamp(LONG_AGO, UTC)
    assert note.links == (Link(vault.by_path()["b.md"].id, "link"),)


def test_an_unchanged_file_is_not_even_opened(vault: Indexed) -> None:
    place = vault.write("a.md", "text")
    aged(place)
    vault.visit()
    place.write_bytes(b"TEXT")  # the same size and, below, the same time: it looks unchanged
    aged(place)
    assert vault.look().pending == ()


def test_a_file_written_just_now_is_not_trusted_by_its_looks(vault: Indexed) -> None:
    place = vault.write("a.md", "text")
    moment = place.stat().st_mtime_ns
    vault.visit()
    place.write_bytes(b"TEXT")
    os.utime(place, ns=(moment, moment))
    assert vault.look().pending == ("a.md",)


def test_a_file_only_touched_is_remembered_and_not_written(vault: Indexed) -> None:
    place = vault.write("a.md", "text")
    aged(place)
    vault.visit()
    aged(place, LONG_AGO + 60)
    seen = vault.visit()
    assert seen.pending == ()
    assert [record.path for record in seen.refreshed] == ["a.md"]
    assert vault.look().refreshed == ()


def test_an_edit_keeps_the_id_and_the_first_date(vault: Indexed) -> None:
    aged(vault.write("a.md", "one"))
    vault.visit()
    before = vault.by_path()["a.md"]
    vault.write("a.md", "two")
    seen = vault.visit()
    after = vault.by_path()["a.md"]
    assert seen.difference.changed == ("a.md",)
    assert (after.id, after.created_at) == (before.id, before.created_at)
    assert after.modified_at > before.modified_at


def test_a_rename_keeps_the_id_and_a_newcomer_gets_its_own(vault: Indexed) -> None:
    place = vault.write("a.md", "one")
    vault.visit()
    note_id = vault.by_path()["a.md"].id
    (vault.root / "sub").mkdir()
    place.rename(vault.root / "sub/b.md")
    seen = vault.visit()
    assert seen.difference.renamed == (("a.md", "sub/b.md"),)
    assert seen.removed_ids == ()
    assert vault.by_path()["sub/b.md"].id == note_id
    vault.write("a.md", "another")
    vault.visit()
    assert vault.by_path()["a.md"].id != note_id
    assert len(vault.notes) == 2


def test_an_interrupted_rename_never_removes_the_note(vault: Indexed) -> None:
    place = vault.write("a.md", "one")
    vault.visit()
    old = vault.known["a.md"]
    place.rename(vault.root / "b.md")
    vault.visit()
    vault.known["a.md"] = (
        old  # stopped after the new name was remembered, before the old was forgotten
    )
    seen = vault.look()
    assert seen.forgotten == ("a.md",)
    assert seen.removed_ids == ()


def test_a_removed_file_removes_its_note(vault: Indexed) -> None:
    place = vault.write("a.md", "one")
    vault.visit()
    place.unlink()
    vault.visit()
    assert vault.notes == {}
    assert vault.known == {}


def test_a_link_resolves_on_the_day_its_note_appears_and_breaks_when_it_goes(
    vault: Indexed,
) -> None:
    vault.write("a.md", "see [[later]]")
    vault.visit()
    assert links(vault, "a.md") == set()
    place = vault.write("sub/Later.md", "here")
    assert vault.visit().pending == ("a.md", "sub/Later.md")
    assert links(vault, "a.md") == {"sub/Later.md"}
    place.unlink()
    assert vault.visit().pending == ("a.md",)
    assert links(vault, "a.md") == set()


def test_a_link_follows_a_renamed_note_by_its_new_name_only(vault: Indexed) -> None:
    vault.write("a.md", "[[old]] [[new]]")
    place = vault.write("old.md", "x")
    vault.visit()
    place.rename(vault.root / "new.md")
    seen = vault.visit()
    assert links(vault, "a.md") == {"new.md"}
    assert seen.pending == ("new.md",)  # the same note by either name: nothing to tell of a.md


def test_an_alias_that_appears_resolves_links_elsewhere(vault: Indexed) -> None:
    vault.write("a.md", "[[nickname]]")
    vault.write("b.md", "plain")
    vault.visit()
    vault.write("b.md", "---\naliases: [Nickname]\n---\nplain")
    vault.visit()
    assert links(vault, "a.md") == {"b.md"}


def test_label_first_links_are_recognised_by_the_vault_as_a_whole(vault: Indexed) -> None:
    vault.write("a.topic.md", "[[see this|b.topic]]")
    vault.write("b.topic.md", "[[and that|a.topic#part]]")
    assert vault.visit().link_style == "dendron"
    assert links(vault, "a.topic.md") == {"b.topic.md"}


def test_another_passage_size_reads_every_file_anew(vault: Indexed) -> None:
    aged(vault.write("a.md", "text"))
    vault.visit()
    vault.settings = replace(FolderSettings(), passage_size=64)
    assert vault.visit().pending == ("a.md",)
    assert vault.look().pending == ()


def test_the_same_vault_has_the_same_ids_on_another_machine(vault: Indexed) -> None:
    vault.write("a.md", "text")
    vault.visit()
    elsewhere = Indexed(vault.root)
    elsewhere.visit()
    assert elsewhere.notes.keys() == vault.notes.keys()


def test_a_file_that_changes_after_the_scan_is_read_as_it_is_and_seen_again(vault: Indexed) -> None:
    aged(vault.write("a.md", "[[b]]"))
    vault.write("b.md", "x")
    vault.write("c.md", "x y")
    vault.write("c2.md", "now [[c]]")
    vault.visit(between=lambda: (vault.root / "c2.md").rename(vault.root / "a.md"))
    assert links(vault, "a.md") == {"c.md"}
    vault.visit()
    assert vault.by_path()["a.md"].text == "now [[c]]"


def test_records_may_be_kept_as_lines(vault: Indexed) -> None:
    aged(vault.write("a.md", "---\naliases: [x]\n---\n[[b|c]] ![[d]]"))
    aged(vault.write("b.md", "text"))
    vault.visit()
    lines = [record.as_json() for record in vault.known.values()]
    vault.known = {record.path: record for record in map(FileRecord.from_json, lines)}
    seen = vault.look()
    assert (seen.pending, seen.refreshed) == ((), ())
