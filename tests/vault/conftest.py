"""A vault on a real disk, and the few lines with which a conductor indexes it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from recollect.ingest.config import FolderSettings
from recollect.ingest.record import FileRecord
from recollect.model.note import Note
from recollect.vault.read import Reading, read
from recollect.vault.remark import Remark
from recollect.vault.scan import Scan, scan


@dataclass
class Indexed:
    """What a store and its memory of files would hold after each visit."""

    root: Path
    settings: FolderSettings = field(default_factory=FolderSettings)
    notes: dict[str, Note] = field(default_factory=dict)
    known: dict[str, FileRecord] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)

    def look(self) -> Scan:
        return scan(self.root, "home", self.settings, self.known)

    def visit(self, between: Callable[[], object] = lambda: None) -> Scan:
        seen = self.look()
        between()
        self.remarks = list(seen.remarks)
        for note_id in seen.removed_ids:
            del self.notes[note_id]
        for path in seen.forgotten:
            del self.known[path]
        for path in seen.pending:
            reading = read(seen, path, self.remarks.append)
            if reading:
                self.keep(reading)
        self.known.update({record.path: record for record in seen.refreshed})
        return seen

    def keep(self, reading: Reading) -> None:
        self.notes[reading.note.id] = reading.note
        self.known[reading.record.path] = reading.record

    def by_path(self) -> dict[str, Note]:
        return {note.path: note for note in self.notes.values()}

    def said(self) -> dict[str, str]:
        return {remark.path: remark.code for remark in self.remarks}

    def write(self, path: str, text: str | bytes) -> Path:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
        return place


@pytest.fixture
def vault(tmp_path: Path) -> Indexed:
    root = tmp_path / "vault"
    root.mkdir()
    return Indexed(root)
