"""Which conversations there are."""

from collections.abc import Sequence

from recollect.model.errors import NotFound
from recollect.model.note import Session
from recollect.stores.sqlite.clock import note_move
from recollect.stores.sqlite.connection import Connections


class SQLiteRoster:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def session(self, space: str, session: str) -> Session | None:
        statement = "SELECT space, session, project FROM sessions WHERE space = ? AND session = ?"
        with self._connections.reading() as connection:
            found = connection.execute(statement, (space, session)).fetchone()
        return Session(*found) if found else None

    def list_sessions(
        self, space: str, count: int, skip: int = 0, project: str | None = None
    ) -> Sequence[Session]:
        statement = (
            "SELECT space, session, project FROM sessions"
            " WHERE space = ? AND (? IS NULL OR project = ?) ORDER BY session LIMIT ? OFFSET ?"
        )
        with self._connections.reading() as connection:
            found = connection.execute(statement, (space, project, project, count, skip))
            return [Session(*columns) for columns in found]

    def list_projects(self, space: str) -> Sequence[str]:
        statement = (
            "SELECT DISTINCT project FROM sessions"
            " WHERE space = ? AND project IS NOT NULL ORDER BY project"
        )
        with self._connections.reading() as connection:
            return [project for (project,) in connection.execute(statement, (space,))]

    def drop_session(self, space: str, session: str) -> None:
        with self._connections.writing() as connection:
            statement = "DELETE FROM sessions WHERE space = ? AND session = ?"
            if not connection.execute(statement, (space, session)).rowcount:
                raise NotFound("session", session)
            note_move(connection)
