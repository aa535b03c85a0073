"""Reading by id."""

from collections.abc import Iterable, Mapping

from recollect.model.note import EXCERPT, Document, Facts, Note, Passage
from recollect.model.query import Scope
from recollect.stores.memory.state import State


class MemoryShelf:
    def __init__(self, state: State) -> None:
        self._state = state

    def facts(self, note_ids: Iterable[str]) -> Mapping[str, Facts]:
        known = self._state.documents
        return {note_id: self._facts(known[note_id]) for note_id in note_ids if note_id in known}

    def passages(self, passage_ids: Iterable[str]) -> Mapping[str, Passage]:
        known = self._state.passages
        return {one: known[one] for one in passage_ids if one in known}

    def notes(self, note_ids: Iterable[str]) -> Mapping[str, Note]:
        known = self._state.documents
        return {one: known[one].note for one in note_ids if one in known}

    def seen(self, note_ids: Iterable[str], scope: Scope) -> frozenset[str]:
        return frozenset(one for one in note_ids if self._state.sees(scope, one))

    def aliases(self, spaces: Iterable[str], names: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        wanted = frozenset(names)
        merged: dict[str, tuple[str, ...]] = {}
        for space in sorted(spaces):
            for name, others in self._state.aliases.get(space, {}).items():
                if name in wanted:
                    merged[name] = tuple(dict.fromkeys((*merged.get(name, ()), *others)))
        return merged

    def _facts(self, document: Document) -> Facts:
        note = document.note
        pointing = self._pointing_at(note)
        return Facts(
            note_id=note.id,
            path=note.path,
            title=note.title,
            summary=note.summary,
            excerpt=note.text[:EXCERPT],
            created_at=note.created_at,
            modified_at=note.modified_at,
            importance=note.importance,
            space=note.space,
            session=note.session,
            tags=note.tags,
            traits=document.traits,
            backlinks=len(pointing),
            superseded=any("supersedes" in kinds for kinds in pointing.values()),
            usage=self._state.usage[note.id],
            lead_passage=document.passages[0].id,
        )

    def _pointing_at(self, note: Note) -> dict[str, set[str]]:
        """The other notes of its space that link to it, each once, with the kinds of link."""
        found: dict[str, set[str]] = {}
        for document in self._state.documents.values():
            source = document.note
            if source.space == note.space and source.id != note.id:
                for link in source.links:
                    if link.target == note.id:
                        found.setdefault(source.id, set()).add(link.kind)
        return found
