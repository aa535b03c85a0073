"""Everything a disk can hold that is no note: named in the summary, never fatal, nothing else lost."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.ingest.config import FolderSettings
from recollect.model.errors import BadInput
from recollect.vault.remark import summary_of
from recollect.vault.settings import CONFIG, load_config
from tests.vault.conftest import Indexed


@pytest.fixture
def modest(tmp_path: Path) -> None:
    """Skips where this process may read everything, as root usually may."""
    place = tmp_path / "probe"
    place.touch(mode=0)
    if os.access(place, os.R_OK):
        pytest.skip("this process may read everything")


@pytest.fixture
def troubled(vault: Indexed) -> Indexed:
    vault.write("good.md", "fine")
    return vault


def only_the_good_one(vault: Indexed, path: str, code: str) -> None:
    vault.visit()
    assert set(vault.by_path()) == {"good.md"}
    assert vault.said()[path] == code


@pytest.mark.parametrize("folder", [".git", ".obsidian", ".trash", "sub/.hidden"])
def test_hidden_folders_are_left_out(troubled: Indexed, folder: str) -> None:
    troubled.write(f"{folder}/x.md", "no")
    only_the_good_one(troubled, folder, "hidden")


def test_a_loop_of_links_ends_at_once(troubled: Indexed) -> None:
    (troubled.root / "loop").symlink_to(troubled.root, target_is_directory=True)
    only_the_good_one(troubled, "loop", "link")


def test_a_link_out_of_the_vault_is_not_followed(troubled: Indexed, tmp_path: Path) -> None:
    outside = tmp_path / "secret.md"
    outside.write_text("secret")
    (troubled.root / "in.md").symlink_to(outside)
    only_the_good_one(troubled, "in.md", "link")
    assert any(str(outside) in remark.detail for remark in troubled.remarks)


def test_a_broken_link_is_named(troubled: Indexed) -> None:
    (troubled.root / "broken.md").symlink_to("nowhere")
    only_the_good_one(troubled, "broken.md", "link")


def test_a_binary_file_is_left_out(troubled: Indexed) -> None:
    troubled.write("b.md", b"\x00\x01\x02")
    only_the_good_one(troubled, "b.md", "binary")


def test_a_huge_file_is_left_out_unread(troubled: Indexed) -> None:
    troubled.settings = replace(FolderSettings(), max_file_megabytes=0.001)
    troubled.write("huge.md", "x" * 1001)
    only_the_good_one(troubled, "huge.md", "too large")


def test_another_kind_of_file_is_left_out(troubled: Indexed) -> None:
    troubled.write("picture.png", b"\x89PNG")
    only_the_good_one(troubled, "picture.png", "other kind")


def test_a_pipe_is_not_waited_for(troubled: Indexed) -> None:
    os.mkfifo(troubled.root / "pipe.md")
    only_the_good_one(troubled, "pipe.md", "not a file")


def test_excluded_files_and_folders_are_left_out(troubled: Indexed) -> None:
    troubled.settings = replace(FolderSettings(), exclude=("drafts", "*.txt"))
    troubled.write("drafts/x.md", "no")
    troubled.write("a.txt", "no")
    only_the_good_one(troubled, "drafts", "excluded")
    assert troubled.said()["a.txt"] == "excluded"


def test_only_what_is_included_is_read(troubled: Indexed) -> None:
    troubled.settings = replace(FolderSettings(), include=("good.md", "notes/**"))
    troubled.write("other.md", "no")
    troubled.write("notes/deep/x.md", "yes")
    troubled.visit()
    assert set(troubled.by_path()) == {"good.md", "notes/deep/x.md"}


def test_a_name_that_is_no_text_is_named_as_well_as_can_be(troubled: Indexed) -> None:
    with open(os.fsencode(troubled.root) + b"/bad\xff.md", "wb") as file:  # noqa: PTH123
        file.write(b"text")
    only_the_good_one(troubled, "bad�.md", "bad name")


def test_two_spellings_of_one_name_are_one_note(troubled: Indexed) -> None:
    troubled.write("caf\u00e9.md", "composed")
    troubled.write("cafe\u0301.md", "decomposed")
    troubled.visit()
    if len(list(troubled.root.iterdir())) == 3:  # some disks hold only one of them
        assert troubled.said()["caf\u00e9.md"] == "same name"
    assert set(troubled.by_path()) == {"good.md", "caf\u00e9.md"}


def test_a_decomposed_name_is_found_on_disk_and_composed_in_the_vault(vault: Indexed) -> None:
    vault.write("u\u0308ber/cafe\u0301.md", "text")
    vault.visit()
    assert set(vault.by_path()) == {"\u00fcber/caf\u00e9.md"}


def test_what_is_no_utf_8_is_indexed_as_far_as_it_can_be_read(troubled: Indexed) -> None:
    troubled.write("latin.md", "caf\xe9 au lait".encode("latin-1"))
    troubled.visit()
    assert troubled.by_path()["latin.md"].text == "caf� au lait"
    assert troubled.said()["latin.md"] == "not utf-8"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_no_part_of_the_text(vault: Indexed, encoding: str) -> None:
    vault.write("a.md", "---\ntitle: T\n---\nöx\r\ny\rz".encode(encoding))
    vault.visit()
    assert vault.by_path()["a.md"].title == "T"
    assert vault.by_path()["a.md"].text == "öx\ny\nz"


def test_front_matter_that_cannot_be_read_is_named_and_the_body_kept(vault: Indexed) -> None:
    vault.write("a.md", "---\ntitle: [\n---\nbody")
    vault.visit()
    assert vault.by_path()["a.md"].text == "body"
    assert vault.said()["a.md"] == "front matter"


def test_a_file_that_vanishes_after_the_scan_is_named(troubled: Indexed) -> None:
    place = troubled.write("gone.md", "soon")
    troubled.visit(between=place.unlink)
    assert set(troubled.by_path()) == {"good.md"}
    assert troubled.said()["gone.md"] == "vanished"
    assert "gone.md" not in troubled.known


def test_a_deep_tree_is_walked_to_its_end(vault: Indexed) -> None:
    deep = "/".join(["d"] * 300) + "/x.md"
    vault.write(deep, "text")
    vault.visit()
    assert set(vault.by_path()) == {deep}


def test_a_tree_deeper_than_the_system_can_name_loses_no_note(troubled: Indexed) -> None:
    troubled.visit()
    name, place = "d" * 200, os.open(troubled.root, os.O_RDONLY)
    for _ in range(30):  # 6,000 characters, where Linux names no more than 4,096
        os.mkdir(name, dir_fd=place)
        below = os.open(name, os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = below
    os.close(place)
    troubled.visit()
    (out_of_reach,) = (path for path, code in troubled.said().items() if code == "unreadable")
    beyond = f"{out_of_reach}/known.md"
    troubled.known[beyond] = replace(troubled.known["good.md"], path=beyond, note_id="kept")
    seen = troubled.look()
    assert (seen.removed_ids, seen.forgotten) == ((), ())
    assert seen.records[beyond].note_id == "kept"
    assert seen.records["good.md"].note_id in troubled.notes


@pytest.mark.usefixtures("modest")
def test_an_unreadable_file_is_named_and_what_was_known_of_it_kept(troubled: Indexed) -> None:
    place = troubled.write("locked.md", "text")
    troubled.visit()
    troubled.write("locked.md", "new text").chmod(0)
    troubled.visit()
    assert troubled.said()["locked.md"] == "unreadable"
    assert set(troubled.by_path()) == {"good.md", "locked.md"}
    place.chmod(0o600)
    assert troubled.visit().pending == ("locked.md",)


@pytest.mark.usefixtures("modest")
def test_a_folder_that_cannot_be_listed_loses_no_note(troubled: Indexed) -> None:
    troubled.write("sub/deep/a.md", "text")
    troubled.visit()
    (troubled.root / "sub").chmod(0)
    seen = troubled.visit()
    (troubled.root / "sub").chmod(0o700)
    assert seen.removed_ids == ()
    assert troubled.said()["sub"] == "unreadable"
    assert set(troubled.by_path()) == {"good.md", "sub/deep/a.md"}


def test_a_vault_that_is_not_there_is_refused_and_nothing_removed(vault: Indexed) -> None:
    shutil.rmtree(vault.root)
    with pytest.raises(BadInput, match="is no folder that can be read"):
        vault.look()


def test_files_come_in_the_same_order_always(vault: Indexed) -> None:
    for path in ("b.md", "a/z.md", "a.md", "c/a.md", "a/b/c.md"):
        vault.write(path, path)
    assert list(vault.look().records) == ["a.md", "b.md", "a/z.md", "a/b/c.md", "c/a.md"]


def test_the_summary_counts_explains_and_names(troubled: Indexed) -> None:
    for number in range(5):
        troubled.write(f"{number}.png", b"")
    troubled.write("latin.md", b"\xff")
    troubled.visit()
    assert summary_of(troubled.remarks) == (
        "5 other kind (no markdown, text or HTML): 0.png; 1.png; 2.png; …",
        "1 not utf-8 (indexed, with � for every byte that is no UTF-8): latin.md – first at byte 0",
    )


def test_a_vault_is_configured_by_its_own_file(vault: Indexed) -> None:
    assert load_config(vault.root).vault.exclude == ()
    vault.write(CONFIG, '[vault]\nexclude = ["x"]')
    assert load_config(vault.root).vault.exclude == ("x",)
    vault.write(CONFIG, b"\xff")
    with pytest.raises(BadInput, match="cannot be read"):
        load_config(vault.root)
