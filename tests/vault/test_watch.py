"""Following a folder: real files, real events, and the ways editors write."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread

import pytest

from recollect.ingest.config import FolderSettings
from recollect.model.errors import BadInput
from recollect.vault.watch import watch
from tests.vault.conftest import Indexed

PATIENCE = 10.0


class Watched:
    """A watch on its own thread; `told` waits for what it tells next."""

    def __init__(self, root: Path, settings: FolderSettings, *, polling: bool) -> None:
        self._stop = Event()
        self._told: Queue[frozenset[str]] = Queue()
        self._thread = Thread(target=self._follow, args=(root, settings, polling))
        self._thread.start()
        assert self.told() == frozenset()  # watching has begun

    def _follow(self, root: Path, settings: FolderSettings, polling: bool) -> None:
        for paths in watch(root, settings, self._stop, polling=polling):
            self._told.put(paths)

    def told(self, patience: float = PATIENCE) -> frozenset[str]:
        return self._told.get(timeout=patience)

    def silent(self) -> bool:
        try:
            self.told(patience=0.8)
        except Empty:
            return True
        return False

    def stop(self) -> bool:
        self._stop.set()
        self._thread.join(timeout=PATIENCE)
        return not self._thread.is_alive()


@pytest.fixture
def watched(vault: Indexed) -> Iterator[Watched]:
    vault.write("a.md", "one")
    vault.write("sub/b.md", "one")
    watching = Watched(vault.root, replace(FolderSettings(), exclude=("drafts",)), polling=False)
    yield watching
    assert watching.stop()


def test_a_new_and_a_changed_file_are_told(vault: Indexed, watched: Watched) -> None:
    vault.write("sub/new.md", "x")
    assert watched.told() == {"sub/new.md"}
    vault.write("a.md", "two")
    assert watched.told() == {"a.md"}


def test_an_editor_that_writes_by_rename_is_followed(vault: Indexed, watched: Watched) -> None:
    for text in ("two", "three"):
        vault.write(".a.md.tmp", text).replace(vault.root / "a.md")
        assert "a.md" in watched.told()


def test_a_folder_renamed_or_removed_is_told(vault: Indexed, watched: Watched) -> None:
    (vault.root / "sub").rename(vault.root / "other")
    assert {"sub", "other"} <= watched.told()
    (vault.root / "other/b.md").unlink()
    assert "other/b.md" in watched.told()


def test_a_burst_is_told_at_once(vault: Indexed, watched: Watched) -> None:
    for number in range(50):
        vault.write(f"{number}.md", "x")
    told = watched.told()
    while len(told) < 50:
        told |= watched.told()
    assert watched.silent()


def test_what_is_never_read_is_never_told(vault: Indexed, watched: Watched) -> None:
    vault.write(".obsidian/workspace.json", "x")
    vault.write(".hidden.md", "x")
    vault.write("drafts/x.md", "x")
    vault.write("picture.png", "x")
    assert watched.silent()


def test_a_folder_can_be_polled_instead(vault: Indexed) -> None:
    vault.write("a.md", "one")
    watching = Watched(vault.root, FolderSettings(), polling=True)
    vault.write("b.md", "two")
    assert "b.md" in watching.told()
    assert watching.stop()


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is no folder"):
        next(watch(tmp_path / "none", FolderSettings(), Event()))
