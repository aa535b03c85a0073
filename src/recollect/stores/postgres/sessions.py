"""Which conversations belong together."""

from typing import Final

from recollect.model.errors import NotFound
from recollect.stores.postgres.connections import Connections

_AROUND: Final = (
    "SELECT other.session FROM sessions own JOIN sessions other"
    " ON other.space = own.space AND other.project = own.project"
    " WHERE own.space = %(space)s AND other.space = %(space)s AND own.session = %(session)s"
)


class PostgresSessions:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def open_session(self, space: str, session: str, project: str | None = None) -> None:
        known = "SELECT 1 FROM sessions WHERE space = %s AND session = %s"
        statement = "INSERT INTO sessions VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
        own = (space, session)
        if not self._connections.read(lambda to: to.execute(known, own).fetchone()):
            self._connections.write(lambda to: to.execute(statement, (*own, project)))

    def move_session(self, space: str, session: str, project: str | None) -> None:
        statement = "UPDATE sessions SET project = %s WHERE space = %s AND session = %s"
        moving = (project, space, session)
        if not self._connections.write(lambda to: to.execute(statement, moving).rowcount):
            raise NotFound("session", session)

    def sessions_around(self, space: str, session: str) -> frozenset[str]:
        given = {"space": space, "session": session}
        found = self._connections.read(lambda to: to.execute(_AROUND, given).fetchall())
        return frozenset(name for (name,) in found) or frozenset({session})
