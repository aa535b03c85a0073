"""A folder in, a set of changed paths each time something happened in it out. Watches the disk.

What happened exactly is not told, on purpose: editors write by renaming, sync tools by bursts, and
events get lost. A scan sees what is there now, and costs next to nothing where nothing changed.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import Event
from typing import Final

import watchfiles

from recollect.ingest.config import FolderSettings
from recollect.ingest.formats import READERS
from recollect.ingest.paths import composed, suffix_of
from recollect.model.errors import BadInput
from recollect.vault.walk import Rules

QUIET_MS: Final = 100
"""A burst is over when nothing happened for so long: an editor's write and rename are one change."""

LONGEST_BURST_MS: Final = 2000
"""A folder that never comes to rest, as during a sync, is still told of this often."""

WAKE_MS: Final = 200
POLL_MS: Final = 500


def watch(
    root: Path, settings: FolderSettings, stop: Event, *, polling: bool = False
) -> Iterator[frozenset[str]]:
    """Vault paths that changed, until `stop` is set.

    The first set is empty and says that watching has begun: scan then, and nothing falls between.
    Where the system refuses to watch, because a limit of its own is reached, the folder is polled.
    """
    if not root.is_dir():
        raise BadInput("vault", str(root), "is no folder that can be read")
    relevant = _Relevant(root.resolve(), Rules(settings))
    try:
        yield from _told(_changes(relevant.root, stop, polling=polling), relevant)
    except OSError:
        if polling:
            raise
        yield from _told(_changes(relevant.root, stop, polling=True), relevant)


def _told(changes: Iterable[set[str]], relevant: "_Relevant") -> Iterator[frozenset[str]]:
    begun = False
    for places in changes:
        paths = relevant.among(places)
        if paths or not begun:
            yield paths
        begun = True


def _changes(root: Path, stop: Event, *, polling: bool) -> Iterator[set[str]]:
    watching = watchfiles.watch(
        root,
        watch_filter=None,
        debounce=LONGEST_BURST_MS,
        step=QUIET_MS,
        stop_event=stop,
        rust_timeout=WAKE_MS,
        yield_on_timeout=True,
        force_polling=polling or None,
        poll_delay_ms=POLL_MS,
        ignore_permission_denied=True,
    )
    for batch in watching:
        yield {place for _, place in batch}


class _Relevant:
    """Which places on the disk are worth a scan, as paths of the vault."""

    def __init__(self, root: Path, rules: Rules) -> None:
        self.root = root
        self._rules = rules

    def among(self, places: Iterable[str]) -> frozenset[str]:
        return frozenset(path for place in places if (path := self._path(Path(place))))

    def _path(self, place: Path) -> str:
        if not place.is_relative_to(self.root) or place == self.root:
            return ""
        path = composed(place.relative_to(self.root).as_posix())
        folders = _with_folders(path)
        if any(self._rules.against_folder(folder) for folder in folders):
            return ""
        return path if self._may_hold_notes(place, path) else ""

    def _may_hold_notes(self, place: Path, path: str) -> bool:
        """What is gone can no longer be asked whether it was a folder, so it counts as one."""
        return suffix_of(path) in READERS or place.is_dir() or not place.exists()


def _with_folders(path: str) -> Iterator[str]:
    """`a`, `a/b`, `a/b/c.md`."""
    parts = path.split("/")
    return ("/".join(parts[: count + 1]) for count in range(len(parts)))
