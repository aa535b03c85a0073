"""A scanned path in; its note, its passages and what to remember of it out. Reads that one file."""

from dataclasses import dataclass, replace

from recollect.ingest.chunk import passages_of
from recollect.ingest.formats import page_of
from recollect.ingest.links import links_of
from recollect.ingest.page import Page
from recollect.ingest.record import FileRecord
from recollect.model.note import LEVELS, Link, Note, Passage
from recollect.vault.content import content_of
from recollect.vault.scan import Scan, edition_of, modified_at, record_of
from recollect.vault.walk import Entry, Report


@dataclass(frozen=True, slots=True)
class Reading:
    """All a document needs but its traits, and the record to keep once the document is written."""

    note: Note
    passages: tuple[Passage, ...]
    record: FileRecord


def read(scan: Scan, path: str, report: Report) -> Reading | None:
    """What the file says now, even where it changed after the scan: the next scan sees that it did.

    None where it can no longer be read; it is then not to be remembered, and the report says why.
    """
    entry, seen = scan.entries.get(path), scan.records[path]
    if entry is None:
        return None  # out of reach, and known from before
    content = content_of(entry, scan.settings.max_file_bytes, report)
    if content is None:
        return None
    page = page_of(path, content.text)
    found = record_of(entry, content, page, edition_of(scan.settings), seen)
    links = seen.links if found.digest == seen.digest else _links_now(found, scan)
    record = replace(found, note_id=seen.note_id, created_at=seen.created_at, links=links)
    passages = passages_of(record.note_id, page, scan.settings.sizes)
    return Reading(_note(scan.space, record, page, entry), passages, record)


def _links_now(record: FileRecord, scan: Scan) -> tuple[Link, ...]:
    ids = {path: known.note_id for path, known in scan.records.items()}
    return links_of(record, scan.names, ids, scan.link_style)


def _note(space: str, record: FileRecord, page: Page, entry: Entry) -> Note:
    return Note(
        id=record.note_id,
        space=space,
        text=page.text,
        created_at=record.created_at,
        modified_at=page.modified_at or modified_at(entry),
        path=record.path,
        title=page.title,
        summary=_summary(page),
        importance=LEVELS["medium"] if page.importance is None else page.importance,
        tags=page.tags,
        links=record.links,
    )


def _summary(page: Page) -> str:
    """Other names belong to what a note is about; here they are seen by whoever reads a summary."""
    called = f"Also called {', '.join(page.aliases)}." if page.aliases else ""
    return " ".join(part for part in (page.summary, called) if part)
