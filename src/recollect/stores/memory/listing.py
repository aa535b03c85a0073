"""Going through the notes, and counting them."""

from collections import Counter
from collections.abc import Iterable, Sequence

from recollect.model.inventory import Counts, Label, LabelKind, ModelCount, SpaceCount
from recollect.model.note import Note
from recollect.model.query import Scope
from recollect.stores.memory.state import State


class MemoryListing:
    def __init__(self, state: State) -> None:
        self._state = state

    def notes_in(self, scope: Scope, count: int, skip: int = 0) -> Sequence[Note]:
        seen = (one.note for one in self._state.seen_in(scope))
        newest_first = sorted(seen, key=lambda note: (-note.modified_at.timestamp(), note.id))
        return newest_first[skip : skip + max(0, count)]

    def ids_in(self, scope: Scope) -> Sequence[str]:
        return sorted(one.note.id for one in self._state.seen_in(scope))

    def ids_by_path(self, spaces: Iterable[str], path: str) -> Sequence[str]:
        wanted = frozenset(spaces)
        own = [one.note for one in self._state.documents.values() if one.note.space in wanted]
        found = [note for note in own if note.path == path]
        found = found or [note for note in own if note.path.endswith(f"/{path}")]
        return [note.id for note in sorted(found, key=lambda note: (note.path, note.id))]

    def linking_to(self, note_id: str) -> Sequence[str]:
        return sorted(source for source, target in self._arrows() if target == note_id)

    def labels_in(self, kind: LabelKind, scope: Scope, count: int) -> Sequence[Label]:
        borne = Counter(
            label for one in self._state.seen_in(scope) for label in self._labels(kind, one.note)
        )
        common_first = sorted(borne.items(), key=lambda item: (-item[1], item[0]))
        return [Label(name, notes) for name, notes in common_first[: max(0, count)]]

    def _labels(self, kind: LabelKind, note: Note) -> Iterable[str]:
        if kind == "tag":
            return set(note.tags)
        own = note.session if kind == "session" else self._state.project_of(note)
        return () if own is None else (own,)

    def spaces(self) -> tuple[str, ...]:
        return tuple(sorted({one.note.space for one in self._state.documents.values()}))

    def by_space(self) -> tuple[SpaceCount, ...]:
        found = {space: [0, 0] for space in self.spaces()}
        for one in self._state.documents.values():
            found[one.note.space][0] += 1
            found[one.note.space][1] += len(one.passages)
        return tuple(SpaceCount(space, *counts) for space, counts in found.items())

    def models(self) -> tuple[ModelCount, ...]:
        return tuple(
            ModelCount(identity, len(next(iter(own.values()))), len(own))
            for identity, own in self._state.vectors.items()
            if own
        )

    def counts(self) -> Counts:
        """What is only in memory takes up no disk."""
        links = [link for one in self._state.documents.values() for link in one.note.links]
        resolved = sum(self._leads_somewhere(one.note) for one in self._state.documents.values())
        return Counts(
            spaces=self.spaces(),
            notes=len(self._state.documents),
            passages=len(self._state.passages),
            links_resolved=resolved,
            links_unresolved=len(links) - resolved,
            models=self.models(),
            store_bytes=0,
            index_bytes=0,
        )

    def _arrows(self) -> set[tuple[str, str]]:
        """From note to other note of the same space, each once."""
        return {
            (one.note.id, link.target)
            for one in self._state.documents.values()
            for link in one.note.links
            if link.target != one.note.id and self._is_in(link.target, one.note.space)
        }

    def _leads_somewhere(self, note: Note) -> int:
        return sum(self._is_in(link.target, note.space) for link in note.links)

    def _is_in(self, note_id: str, space: str) -> bool:
        found = self._state.documents.get(note_id)
        return found is not None and found.note.space == space
