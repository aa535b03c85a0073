"""Everything a person put in, given out as records and taken in again."""

import copy
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from recollect.model.note import Session
from recollect.model.records import (
    OWN,
    Alias,
    FileLine,
    KeptNote,
    KeptVector,
    Key,
    Kind,
    Page,
    Record,
    Setting,
    key_of,
    kind_of,
)
from recollect.retrieve.aliases import alias_key
from recollect.stores.memory.state import State
from recollect.stores.memory.vectors import MemoryVectors
from recollect.stores.memory.writer import MemoryWriter


class MemoryArchive:
    def __init__(self, state: State) -> None:
        self._state = state

    def records(self, *, vectors: bool = True) -> Iterator[Record]:
        return iter([one for one in self._all() if vectors or kind_of(one) != "vector"])

    def records_after(self, kind: Kind, after: Key | None, count: int) -> Page:
        own = sorted((one for one in self._all() if kind_of(one) == kind), key=key_of)
        rest = [one for one in own if after is None or key_of(one) > after]
        reached = key_of(rest[count - 1]) if len(rest) > count else None
        return Page(rest[:count], reached)

    def take(self, records: Iterable[Record]) -> None:
        trial = copy.deepcopy(self._state)
        for record in records:
            _take(trial, record)
        self._state.become(trial)

    def _all(self) -> Sequence[Record]:
        state = self._state
        return [
            *(KeptNote(one, state.usage[name]) for name, one in state.documents.items()),
            *(Alias(space, *pair) for space, own in state.aliases.items() for pair in own.items()),
            *(Session(*names, project) for names, project in state.sessions.items()),
            *(
                Setting(owner, *pair)
                for owner, own in state.settings.items()
                for pair in own.items()
                if not owner.startswith(OWN)
            ),
            *(FileLine(space, *pair) for space, own in state.files.items() for pair in own.items()),
            *(
                KeptVector(model, passage_id, vector.astype("<f4").tobytes())
                for model, own in state.vectors.items()
                for passage_id, vector in own.items()
            ),
        ]


def _take(state: State, record: Record) -> None:
    match record:
        case KeptNote(document=document, usage=usage):
            MemoryWriter(state).put([document])
            state.usage[document.note.id] = usage
        case Alias(space=space, name=name, others=others):
            state.aliases.setdefault(space, {})[alias_key(name)] = others
        case Session(space=space, id=session, project=project):
            state.sessions[space, session] = project
        case Setting(owner=owner, name=name, value=value):
            state.settings.setdefault(owner, {})[name] = value
        case FileLine(space=space, path=path, line=line):
            state.files.setdefault(space, {})[path] = line
        case KeptVector(model=model, passage_id=passage_id, float32=float32):
            vector = np.frombuffer(float32, "<f4")
            MemoryVectors(state).put_vectors(model, {passage_id: vector})
