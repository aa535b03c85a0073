"""Which conversations there are."""

from collections.abc import Sequence

from recollect.model.errors import NotFound
from recollect.model.note import Session
from recollect.stores.postgres.connections import Connection, Connections


class PostgresRoster:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def session(self, space: str, session: str) -> Session | None:
        statement = "SELECT space, session, project FROM sessions WHERE space = %s AND session = %s"
        found = self._connections.read(
            lambda to: to.execute(statement, (space, session)).fetchone()
        )
        return Session(*found) if found else None

    def list_sessions(
        self, space: str, count: int, skip: int = 0, project: str | None = None
    ) -> Sequence[Session]:
        narrowed = "" if project is None else " AND project = %s"
        statement = (
            f"SELECT space, session, project FROM sessions WHERE space = %s{narrowed}"
            " ORDER BY session LIMIT %s OFFSET %s"
        )
        own = (space,) if project is None else (space, project)
        found = self._connections.read(
            lambda to: to.execute(statement, (*own, count, skip)).fetchall()
        )
        return [Session(*columns) for columns in found]

    def list_projects(self, space: str) -> Sequence[str]:
        statement = (
            "SELECT DISTINCT project FROM sessions"
            " WHERE space = %s AND project IS NOT NULL ORDER BY project"
        )
        found = self._connections.read(lambda to: to.execute(statement, (space,)).fetchall())
        return [project for (project,) in found]

    def drop_session(self, space: str, session: str) -> None:
        statement = "DELETE FROM sessions WHERE space = %s AND session = %s"
        dropped = 0

        def drop(connection: Connection) -> None:
            nonlocal dropped  # a second try finds nothing where the first one went through
            dropped += connection.execute(statement, (space, session)).rowcount

        self._connections.write(drop)
        if not dropped:
            raise NotFound("session", session)
