"""Counting what was shown and what was used, one statement a call. Shown is not used (R1.5)."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from recollect.stores.postgres.connections import Connection, Connections
from recollect.stores.postgres.rows import by_space

# rows are locked in the order of their ids, so that two that count at once never wait in a ring
_COUNT: Final = """
WITH own AS MATERIALIZED (
    SELECT note FROM usage WHERE space = %(space)s AND note = ANY(%(ids)s::text[])
    ORDER BY note FOR UPDATE
), counted AS (
    UPDATE usage u SET accessed_at = %(at)s{counting}
    FROM own WHERE u.space = %(space)s AND u.note = own.note RETURNING u.note
)
UPDATE embedded e SET accessed_at = %(at)s FROM counted
WHERE e.space = %(space)s AND e.note = counted.note
"""


class PostgresUsage:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def recalled(self, note_ids: Iterable[str], at: datetime) -> None:
        self._count("", note_ids, at)

    def shown(self, note_ids: Iterable[str], at: datetime) -> None:
        self._count(", exposures = u.exposures + 1", note_ids, at)

    def used(self, note_ids: Iterable[str], at: datetime) -> None:
        self._count(", access_count = u.access_count + 1", note_ids, at)

    def _count(self, counting: str, note_ids: Iterable[str], at: datetime) -> None:
        wanted = list(dict.fromkeys(note_ids))
        statement = _COUNT.format(counting=counting)

        def count(connection: Connection) -> None:
            for space, ids in sorted(by_space(connection, wanted).items()):
                connection.execute(statement, {"space": space, "ids": ids, "at": at})

        if wanted:
            self._connections.write(count, again=False)
