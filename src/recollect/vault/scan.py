"""A folder and what was known of it in; what there is to write, remove and remember out. Reads disk.

A file that looks as it did (size and time) is not opened. Every other is read once here, for its
digest, names and links: no link can be resolved before all names are known. `read` then makes the
document of each path that is pending, one at a time, so that a vault never has to fit into memory.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from recollect.ingest.config import FolderSettings
from recollect.ingest.diff import Difference, difference
from recollect.ingest.formats import EDITION, page_of
from recollect.ingest.identity import new_note_id
from recollect.ingest.links import LinkStyle, Names, links_of, style_of
from recollect.ingest.page import Page
from recollect.ingest.paths import folder_of
from recollect.ingest.record import FileRecord
from recollect.vault.content import Content, content_of
from recollect.vault.remark import Remark
from recollect.vault.walk import Entry, Report, Rules, walk

UNSETTLED_NS: Final = 2_000_000_000
"""The coarsest clock of a file system still in use (FAT, two seconds): a file written so shortly
before it was looked at may change again without looking different."""


@dataclass(frozen=True, slots=True)
class Scan:
    """One look at a vault. `records` is what to remember of every file once all is written.

    Remember a file only after its document is in the store: then an interruption at any point costs
    nothing but doing that part again.
    """

    space: str
    settings: FolderSettings
    entries: Mapping[str, Entry]
    records: Mapping[str, FileRecord]
    difference: Difference
    pending: tuple[str, ...]
    """The paths whose documents are to be written: new, changed, renamed, or linked differently."""
    removed_ids: tuple[str, ...]
    """The notes whose files are gone."""
    forgotten: tuple[str, ...]
    """The paths to forget: of files that are gone, and of renamed ones the name before."""
    refreshed: tuple[FileRecord, ...]
    """Files that look different but say the same: to be remembered, with nothing to write."""
    names: Names
    link_style: LinkStyle
    remarks: tuple[Remark, ...]


def scan(root: Path, space: str, settings: FolderSettings, known: Mapping[str, FileRecord]) -> Scan:
    """Files that cannot be read just now are left as they were known, never counted as removed."""
    remarks: list[Remark] = []
    entries = {entry.path: entry for entry in walk(root, Rules(settings), remarks.append)}
    met = _met(entries.values(), settings, known, remarks.append)
    met.update(_out_of_reach(known, met, remarks))
    change = difference(_digests(known), _digests(met))
    records, names, style = _linked(_identified(space, met, known, change), settings)
    pending = tuple(path for path in records if _differs(records[path], known.get(path)))
    gone = tuple(path for path in known if path not in records)
    return Scan(
        space=space,
        settings=settings,
        entries=entries,
        records=records,
        difference=change,
        pending=pending,
        removed_ids=_orphans(gone, known, records),
        forgotten=gone,
        refreshed=_refreshed(records, known, frozenset(pending)),
        names=names,
        link_style=style,
        remarks=tuple(remarks),
    )


def edition_of(settings: FolderSettings) -> str:
    return f"{EDITION}/{settings.passage_size}/{settings.passage_overlap}"


def record_of(
    entry: Entry, content: Content, page: Page, edition: str, before: FileRecord | None
) -> FileRecord:
    """All but the id and the links, which only the rest of the vault can tell.

    A note that does not say when it was made was made when it was first seen.
    """
    first_seen = before.created_at if before else modified_at(entry)
    unsettled = time.time_ns() - entry.mtime_ns < UNSETTLED_NS
    return FileRecord(
        path=entry.path,
        note_id="",
        size=entry.size,
        mtime_ns=0 if unsettled else entry.mtime_ns,
        digest=content.digest,
        edition=edition,
        created_at=page.created_at or first_seen,
        title=page.title,
        aliases=page.aliases,
        mentions=page.mentions,
    )


def modified_at(entry: Entry) -> datetime:
    try:
        return datetime.fromtimestamp(entry.mtime_ns / 1e9, UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.fromtimestamp(0, UTC)


def _met(
    entries: Iterable[Entry],
    settings: FolderSettings,
    known: Mapping[str, FileRecord],
    report: Report,
) -> dict[str, FileRecord]:
    edition = edition_of(settings)
    met = {}
    for entry in entries:
        before = known.get(entry.path)
        if before and (before.size, before.mtime_ns, before.edition) == (
            entry.size,
            entry.mtime_ns,
            edition,
        ):
            met[entry.path] = before
        elif content := content_of(entry, settings.max_file_bytes, report):
            page = page_of(entry.path, content.text)
            for warning in page.warnings:
                report(Remark(entry.path, "front matter", warning.removeprefix("front matter: ")))
            met[entry.path] = record_of(entry, content, page, edition, before)
    return met


def _out_of_reach(
    known: Mapping[str, FileRecord], met: Mapping[str, FileRecord], remarks: Iterable[Remark]
) -> dict[str, FileRecord]:
    blocked = {remark.path for remark in remarks if remark.code == "unreadable"}
    return {
        path: record
        for path, record in known.items()
        if blocked and path not in met and not blocked.isdisjoint(_with_folders(path))
    }


def _with_folders(path: str) -> Iterable[str]:
    while path:
        yield path
        path = folder_of(path)


def _digests(records: Mapping[str, FileRecord]) -> dict[str, str]:
    return {path: record.digest for path, record in records.items()}


def _identified(
    space: str,
    met: Mapping[str, FileRecord],
    known: Mapping[str, FileRecord],
    change: Difference,
) -> dict[str, FileRecord]:
    """A note keeps its id and its first date as long as its file can be followed."""
    moved = {after: known[earlier] for earlier, after in change.renamed}
    taken = {record.note_id for record in known.values()}
    identified = {}
    for path, record in met.items():
        if path in moved:
            born = moved[path].created_at
            identified[path] = replace(record, note_id=moved[path].note_id, created_at=born)
        elif path in known:
            identified[path] = replace(record, note_id=known[path].note_id)
        else:
            identified[path] = replace(record, note_id=new_note_id(space, path, taken))
            taken.add(identified[path].note_id)
    return identified


def _linked(
    records: Mapping[str, FileRecord], settings: FolderSettings
) -> tuple[dict[str, FileRecord], Names, LinkStyle]:
    names = Names(records.values())
    style: LinkStyle = (
        style_of(records.values(), names) if settings.link_style == "auto" else settings.link_style
    )
    ids = {path: record.note_id for path, record in records.items()}
    linked = {}
    for path, record in records.items():
        links = links_of(record, names, ids, style)
        linked[path] = record if links == record.links else replace(record, links=links)
    return linked, names, style


def _differs(record: FileRecord, before: FileRecord | None) -> bool:
    """Whether the store has to hear of it. A file merely touched or copied back says nothing new."""
    return before is None or (record.digest, record.edition, record.links) != (
        before.digest,
        before.edition,
        before.links,
    )


def _refreshed(
    records: Mapping[str, FileRecord], known: Mapping[str, FileRecord], pending: frozenset[str]
) -> tuple[FileRecord, ...]:
    rest = (record for path, record in records.items() if path not in pending)
    return tuple(record for record in rest if record != known[record.path])


def _orphans(
    gone: Iterable[str], known: Mapping[str, FileRecord], records: Mapping[str, FileRecord]
) -> tuple[str, ...]:
    """Ids that no file bears any more. A renamed note's old path is gone, but its id lives on, even
    where an interruption left both paths remembered."""
    alive = {record.note_id for record in records.values()}
    return tuple(
        dict.fromkeys(known[path].note_id for path in gone if known[path].note_id not in alive)
    )
