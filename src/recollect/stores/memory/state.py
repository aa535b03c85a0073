"""What the reference store holds, and who may see it."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

from recollect.model.note import Document, Note, Passage, Usage
from recollect.model.query import Scope
from recollect.ports import Vector


@dataclass(slots=True)
class State:
    documents: dict[str, Document] = field(default_factory=dict)
    passages: dict[str, Passage] = field(default_factory=dict)
    usage: dict[str, Usage] = field(default_factory=dict)
    vectors: dict[str, dict[str, Vector]] = field(default_factory=dict)
    aliases: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    sessions: dict[tuple[str, str], str | None] = field(default_factory=dict)
    files: dict[str, dict[str, str]] = field(default_factory=dict)
    settings: dict[str, dict[str, Any]] = field(default_factory=dict)

    def become(self, other: "State") -> None:
        for one in fields(self):
            setattr(self, one.name, getattr(other, one.name))

    def seen_in(self, scope: Scope) -> Iterator[Document]:
        return (one for one in self.documents.values() if self._sees(scope, one.note))

    def sees(self, scope: Scope, note_id: str) -> bool:
        document = self.documents.get(note_id)
        return document is not None and self._sees(scope, document.note)

    def project_of(self, note: Note) -> str | None:
        """A session's notes are in the project the session is in now; other notes in their own."""
        if note.session is not None and (note.space, note.session) in self.sessions:
            return self.sessions[note.space, note.session]
        return note.project

    def _sees(self, scope: Scope, note: Note) -> bool:
        return (
            note.space in scope.spaces
            and note.id not in scope.excluded
            and (scope.sessions is None or note.session in scope.sessions)
            and (scope.projects is None or self.project_of(note) in scope.projects)
            and scope.tags.issubset(note.tags)
            and (scope.since is None or note.modified_at >= scope.since)
            and (scope.before is None or note.modified_at < scope.before)
        )
