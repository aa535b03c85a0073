"""Counting what was shown and what was used. Shown is not used (R1.5)."""

from collections.abc import Iterable
from datetime import datetime

from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.listing import GIVEN, listed
from recollect.stores.sqlite.moments import stored


class SQLiteUsage:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def recalled(self, note_ids: Iterable[str], at: datetime) -> None:
        self._count("", note_ids, at)

    def shown(self, note_ids: Iterable[str], at: datetime) -> None:
        self._count(", exposures = exposures + 1", note_ids, at)

    def used(self, note_ids: Iterable[str], at: datetime) -> None:
        self._count(", access_count = access_count + 1", note_ids, at)

    def _count(self, counting: str, note_ids: Iterable[str], at: datetime) -> None:
        wanted = list(dict.fromkeys(note_ids))
        if not wanted:
            return
        statement = (
            f"UPDATE usage SET accessed_at = ?{counting}"
            f" WHERE note IN (SELECT row FROM notes WHERE id IN {GIVEN})"
        )
        with self._connections.writing() as connection:
            connection.execute(statement, (stored(at), listed(wanted)))
