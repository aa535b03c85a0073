"""Which conversations there are."""

from collections.abc import Sequence

from recollect.model.errors import NotFound
from recollect.model.note import Session
from recollect.stores.memory.state import State


class MemoryRoster:
    def __init__(self, state: State) -> None:
        self._state = state

    def session(self, space: str, session: str) -> Session | None:
        if (space, session) not in self._state.sessions:
            return None
        return Session(space, session, self._state.sessions[space, session])

    def list_sessions(
        self, space: str, count: int, skip: int = 0, project: str | None = None
    ) -> Sequence[Session]:
        own = (
            Session(where, name, held)
            for (where, name), held in sorted(self._state.sessions.items(), key=lambda one: one[0])
            if where == space and project in (None, held)
        )
        return list(own)[skip : skip + count]

    def list_projects(self, space: str) -> Sequence[str]:
        own = {held for (where, _), held in self._state.sessions.items() if where == space}
        return sorted(project for project in own if project is not None)

    def drop_session(self, space: str, session: str) -> None:
        if (space, session) not in self._state.sessions:
            raise NotFound("session", session)
        del self._state.sessions[space, session]
