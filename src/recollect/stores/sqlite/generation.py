"""Which files make up a derived index now: a manifest, replaced in one step. Touches files.

A writer writes new files beside the old ones, then renames a new manifest over the old one. A
reader therefore sees the old generation or the new one, whole, and needs no lock.
"""

import json
import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from recollect.stores.sqlite.segment import Damaged, Stamp

FORMAT = 1
_MANIFEST = "MANIFEST"
_LOCK = "LOCK"


class Member(NamedTuple):
    """One segment of a generation, and the file that names its dead passages, if it has any."""

    segment: Stamp
    dead: Stamp | None


class Generation(NamedTuple):
    """A whole index at one moment, complete up to the change `mark` of the store."""

    number: int
    mark: int
    identity: str
    members: tuple[Member, ...]

    def files(self) -> frozenset[str]:
        stamps = [stamp for member in self.members for stamp in member if stamp]
        return frozenset(stamp.name for stamp in stamps)


def signature(directory: Path) -> tuple[int, int, int] | None:
    """Differs whenever the manifest was replaced; cheap enough to ask on every query."""
    try:
        stat = (directory / _MANIFEST).stat()
    except FileNotFoundError:
        return None
    return stat.st_ino, stat.st_mtime_ns, stat.st_size


def current(directory: Path) -> Generation | None:
    """The published generation; None where none ever was."""
    path = directory / _MANIFEST
    try:
        checksum, _, encoded = path.read_text().partition("\n")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise Damaged(f"{path}: not a manifest") from error
    if checksum != _checksum(encoded):
        raise Damaged(f"{path}: its checksum does not fit its content")
    fields = json.loads(encoded)
    if fields["format"] != FORMAT:
        raise Damaged(f"{path}: format {fields['format']}; this version reads {FORMAT}")
    members = tuple(_member(segment, dead) for segment, dead in fields["members"])
    return Generation(fields["number"], fields["mark"], fields["identity"], members)


def publish(directory: Path, generation: Generation) -> None:
    """Make this the current generation, and sweep away files that belong to no current one."""
    encoded = json.dumps({"format": FORMAT, **generation._asdict()})
    fresh = directory / f"{_MANIFEST}.new"
    with fresh.open("w") as file:
        file.write(f"{_checksum(encoded)}\n{encoded}")
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(directory / _MANIFEST)
    _sync(directory)
    _sweep(directory, generation.files() | {_MANIFEST, _LOCK})


@contextmanager
def writing(directory: Path) -> Iterator[bool]:
    """Whether this process may write now; it waits for no one.

    The lock is SQLite's own on an empty file: it works on every system and dies with its process.
    """
    with closing(sqlite3.connect(directory / _LOCK, timeout=0, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            yield False
        except sqlite3.DatabaseError:  # no lock at all, but a damaged file: the next one is new
            (directory / _LOCK).unlink(missing_ok=True)
            yield False
        else:
            yield True


def _member(segment: list[object], dead: list[object] | None) -> Member:
    return Member(Stamp(*segment), Stamp(*dead) if dead else None)  # type: ignore[arg-type]


def _checksum(encoded: str) -> str:
    return f"{zlib.crc32(encoded.encode()):08x}"


def _sync(directory: Path) -> None:
    with suppress(OSError):  # not every system lets a directory be opened
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _sweep(directory: Path, keep: frozenset[str]) -> None:
    for path in directory.iterdir():
        if path.name not in keep and not path.name.startswith(_LOCK):
            with suppress(OSError):  # some systems keep a mapped file until its reader is gone
                path.unlink()
