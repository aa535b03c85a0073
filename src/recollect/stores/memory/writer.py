"""Everything that changes the reference store. A call changes all it was asked to, or nothing."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from recollect.model.errors import NotFound
from recollect.model.note import Document, Usage
from recollect.retrieve.aliases import by_key
from recollect.stores.checks import checked
from recollect.stores.languages import check_english
from recollect.stores.memory.state import State


class MemoryWriter:
    def __init__(self, state: State) -> None:
        self._state = state

    def put(self, documents: Iterable[Document]) -> None:
        incoming = list(documents)
        for document in incoming:
            checked(document)
        for document in incoming:
            self._put(document)

    def remove(self, note_ids: Iterable[str]) -> int:
        known = [note_id for note_id in dict.fromkeys(note_ids) if note_id in self._state.documents]
        for note_id in known:
            self._drop_passages(note_id, keep=())
            del self._state.documents[note_id]
            del self._state.usage[note_id]
        return len(known)

    def set_aliases(self, space: str, aliases: Mapping[str, tuple[str, ...]]) -> None:
        self._state.aliases[space] = by_key(aliases)

    def recalled(self, note_ids: Iterable[str], at: datetime) -> None:
        for note_id, usage in self._usages(note_ids):
            self._state.usage[note_id] = replace(usage, accessed_at=at)

    def shown(self, note_ids: Iterable[str], at: datetime) -> None:
        for note_id, usage in self._usages(note_ids):
            self._state.usage[note_id] = replace(
                usage, accessed_at=at, exposures=usage.exposures + 1
            )

    def used(self, note_ids: Iterable[str], at: datetime) -> None:
        for note_id, usage in self._usages(note_ids):
            self._state.usage[note_id] = replace(
                usage, accessed_at=at, access_count=usage.access_count + 1
            )

    def open_session(self, space: str, session: str, project: str | None = None) -> None:
        self._state.sessions.setdefault((space, session), project)

    def move_session(self, space: str, session: str, project: str | None) -> None:
        if (space, session) not in self._state.sessions:
            raise NotFound("session", session)
        self._state.sessions[space, session] = project

    def sessions_around(self, space: str, session: str) -> frozenset[str]:
        project = self._state.sessions.get((space, session))
        if project is None:
            return frozenset({session})
        return frozenset(
            name
            for (where, name), own in self._state.sessions.items()
            if where == space and own == project
        )

    def settings(self, owner: str) -> Mapping[str, Any]:
        return dict(self._state.settings.get(owner, {}))

    def change_settings(self, owner: str, changes: Mapping[str, Any]) -> Mapping[str, Any]:
        """A value of None takes a setting away."""
        check_english(owner, changes)
        merged = {**self._state.settings.get(owner, {}), **changes}
        self._state.settings[owner] = {name: v for name, v in merged.items() if v is not None}
        return self.settings(owner)

    def _put(self, document: Document) -> None:
        note = document.note
        self._drop_passages(note.id, keep=document.passages)
        self._state.documents[note.id] = document
        self._state.passages |= {passage.id: passage for passage in document.passages}
        self._state.usage.setdefault(note.id, Usage(accessed_at=note.created_at))

    def _drop_passages(self, note_id: str, keep: Iterable[object]) -> None:
        """A passage that stays word for word the same keeps its vector; any other loses it."""
        before = self._state.documents.get(note_id)
        kept = set(keep)
        for passage in before.passages if before else ():
            if passage not in kept:
                del self._state.passages[passage.id]
                for own in self._state.vectors.values():
                    own.pop(passage.id, None)

    def _usages(self, note_ids: Iterable[str]) -> list[tuple[str, Usage]]:
        known = self._state.usage
        return [(one, known[one]) for one in dict.fromkeys(note_ids) if one in known]
