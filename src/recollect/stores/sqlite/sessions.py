"""Which conversations belong together."""

from recollect.model.errors import NotFound
from recollect.stores.sqlite.clock import note_move
from recollect.stores.sqlite.connection import Connections


class SQLiteSessions:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def open_session(self, space: str, session: str, project: str | None = None) -> None:
        with self._connections.reading() as connection:
            known = "SELECT 1 FROM sessions WHERE space = ? AND session = ?"
            if connection.execute(known, (space, session)).fetchone():
                return
        with self._connections.writing() as connection:
            statement = "INSERT OR IGNORE INTO sessions VALUES (?, ?, ?)"
            connection.execute(statement, (space, session, project))
            note_move(connection)

    def move_session(self, space: str, session: str, project: str | None) -> None:
        with self._connections.writing() as connection:
            statement = "UPDATE sessions SET project = ? WHERE space = ? AND session = ?"
            moved = connection.execute(statement, (project, space, session)).rowcount
            if not moved:
                raise NotFound("session", session)
            note_move(connection)

    def sessions_around(self, space: str, session: str) -> frozenset[str]:
        statement = (
            "SELECT other.session FROM sessions own JOIN sessions other"
            " ON other.space = own.space AND other.project = own.project"
            " WHERE own.space = ? AND own.session = ?"
        )
        with self._connections.reading() as connection:
            found = connection.execute(statement, (space, session)).fetchall()
        return frozenset(name for (name,) in found) or frozenset({session})
