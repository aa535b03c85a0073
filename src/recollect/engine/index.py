"""A folder's way in: what changed is read and written, what is gone is removed; words are found at once.

Documents go in by the batch, and a file is remembered only once its document is in the store, so
that an interruption at any point costs nothing but doing that part again.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from recollect.engine.learn import document_of
from recollect.ingest.record import FileRecord
from recollect.model.note import Note, Passage
from recollect.ports import Store

BATCH: Final = 200


class Reading(Protocol):
    """One file, read."""

    @property
    def note(self) -> Note: ...
    @property
    def passages(self) -> tuple[Passage, ...]: ...
    @property
    def record(self) -> FileRecord: ...


@dataclass(frozen=True, slots=True)
class Changes:
    """What a look at a folder found to do; `read` gives None for a file that is gone meanwhile."""

    space: str
    pending: Sequence[str]
    read: Callable[[str], Reading | None]
    removed_ids: Sequence[str]
    forgotten: Sequence[str]
    refreshed: Sequence[FileRecord]
    records: Mapping[str, FileRecord]


def known_files(space: str, store: Store) -> dict[str, FileRecord]:
    return {path: FileRecord.from_json(line) for path, line in store.files.files(space).items()}


def write_changes(
    changes: Changes, store: Store, progress: Callable[[int], None] = lambda _: None
) -> int:
    """How many documents were written."""
    written = 0
    for start in range(0, len(changes.pending), BATCH):
        paths = changes.pending[start : start + BATCH]
        readings = [reading for path in paths if (reading := changes.read(path)) is not None]
        store.writer.put([document_of(one.note, one.passages) for one in readings])
        _remember(changes.space, (one.record for one in readings), store)
        written += len(readings)
        progress(len(paths))
    store.writer.remove(changes.removed_ids)
    store.files.forget_files(changes.space, changes.forgotten)
    _remember(changes.space, changes.refreshed, store)
    if changes.pending or changes.forgotten:
        store.writer.set_aliases(changes.space, _aliases(changes.records.values()))
    return written


def _remember(space: str, records: Iterable[FileRecord], store: Store) -> None:
    lines = {record.path: record.as_json() for record in records}
    if lines:
        store.files.remember_files(space, lines)


def _aliases(records: Iterable[FileRecord]) -> dict[str, tuple[str, ...]]:
    """A note's other names, each leading to its title."""
    titles: dict[str, list[str]] = {}
    for record in records:
        for alias in record.aliases:
            if record.title and alias != record.title:
                titles.setdefault(alias, []).append(record.title)
    return {alias: tuple(dict.fromkeys(own)) for alias, own in titles.items()}
