"""A folder in, the files worth reading in it out, always in the same order. Reads the disk.

Nothing here is fatal but a folder that is not there: whatever cannot be listed, named or followed is
reported and the walk goes on. Symbolic links are never followed: inside the vault their target is met
anyway, outside they would carry in what the owner of the vault never put there, and loops cannot be.
"""

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from recollect.ingest.config import FolderSettings
from recollect.ingest.formats import READERS
from recollect.ingest.globs import Globs
from recollect.ingest.paths import composed, suffix_of
from recollect.model.errors import BadInput
from recollect.vault.remark import Code, Remark

Report = Callable[[Remark], None]


@dataclass(frozen=True, slots=True)
class Entry:
    """A file and its looks. `path` names it in the vault, `place` on this disk."""

    path: str
    place: str
    size: int
    mtime_ns: int


class Rules:
    """Which paths of a vault are read at all, judged by their names alone."""

    def __init__(self, settings: FolderSettings) -> None:
        self._include = Globs(settings.include) if settings.include else None
        self._exclude = Globs(settings.exclude)

    def against_folder(self, path: str) -> Code | None:
        if path.rpartition("/")[2].startswith("."):
            return "hidden"
        return "excluded" if self._exclude.match(path) else None

    def against_file(self, path: str) -> Code | None:
        against = self.against_folder(path)
        if against:
            return against
        if suffix_of(path) not in READERS:
            return "other kind"
        return "excluded" if self._include and not self._include.match(path) else None


def walk(root: Path, rules: Rules, report: Report) -> Iterator[Entry]:
    """Depth first, each folder by name. Two names that differ only in encoding count as one."""
    if not root.is_dir():
        raise BadInput("vault", str(root), "is no folder that can be read")
    waiting = [("", str(root))]
    while waiting:
        folder, place = waiting.pop()
        entries = _listed(folder, place, report)
        yield from _files(folder, entries, rules, report)
        waiting.extend(_folders(folder, entries, rules, report))


def _listed(folder: str, place: str, report: Report) -> list[tuple[str, os.DirEntry[str]]]:
    try:
        with os.scandir(place) as found:
            entries = [(composed(entry.name), entry) for entry in found]
    except FileNotFoundError:
        report(Remark(folder, "vanished"))
        return []
    except OSError as problem:
        if not folder:
            raise BadInput("vault", place, f"cannot be listed: {problem.strerror}") from problem
        report(Remark(folder, "unreadable", problem.strerror or str(problem)))
        return []
    return _distinct(folder, sorted(entries, key=lambda named: (named[0], named[1].name)), report)


def _distinct(
    folder: str, entries: list[tuple[str, os.DirEntry[str]]], report: Report
) -> list[tuple[str, os.DirEntry[str]]]:
    kept: dict[str, os.DirEntry[str]] = {}
    for name, entry in entries:
        if not _is_text(name):
            shown = name.encode(errors="surrogateescape").decode(errors="replace")
            report(Remark(_within(folder, shown), "bad name"))
        elif kept.setdefault(name, entry) is not entry:
            report(Remark(_within(folder, name), "same name"))
    return list(kept.items())


def _files(
    folder: str, entries: list[tuple[str, os.DirEntry[str]]], rules: Rules, report: Report
) -> Iterator[Entry]:
    for name, entry in entries:
        path = _within(folder, name)
        if entry.is_symlink():
            report(Remark(path, "link", _leads_to(entry)))
        elif not entry.is_dir(follow_symlinks=False):
            against = rules.against_file(path)
            if against:
                report(Remark(path, against))
            elif found := _looked_at(path, entry, report):
                yield found


def _folders(
    folder: str, entries: list[tuple[str, os.DirEntry[str]]], rules: Rules, report: Report
) -> list[tuple[str, str]]:
    kept = []
    for name, entry in entries:
        if entry.is_dir(follow_symlinks=False):
            path = _within(folder, name)
            against = rules.against_folder(path)
            if against:
                report(Remark(path, against))
            else:
                kept.append((path, entry.path))
    return kept[::-1]  # the last one waiting is the first one walked


def _looked_at(path: str, entry: os.DirEntry[str], report: Report) -> Entry | None:
    try:
        looks = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        report(Remark(path, "vanished"))
        return None
    except OSError as problem:
        report(Remark(path, "unreadable", problem.strerror or str(problem)))
        return None
    if not stat.S_ISREG(looks.st_mode):
        report(Remark(path, "not a file"))  # reading a pipe would wait for ever
        return None
    return Entry(path, entry.path, looks.st_size, looks.st_mtime_ns)


def _leads_to(entry: os.DirEntry[str]) -> str:
    try:
        return f"to {Path(entry.path).readlink()}"
    except OSError:
        return ""


def _within(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
