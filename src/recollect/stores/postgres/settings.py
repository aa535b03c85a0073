"""Small named values that outlive a process, each kept as JSON."""

import json
from collections.abc import Mapping
from typing import Any

from recollect.model.errors import BadInput
from recollect.stores.languages import check_languages
from recollect.stores.postgres.connections import Connection, Connections


class PostgresSettings:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def settings(self, owner: str) -> Mapping[str, Any]:
        return self._connections.read(lambda connection: read_settings(connection, owner))

    def change_settings(self, owner: str, changes: Mapping[str, Any]) -> Mapping[str, Any]:
        """A value of None takes a setting away."""
        check_languages(owner, changes)
        gone = [name for name, value in changes.items() if value is None]
        kept = {name: _json(name, value) for name, value in changes.items() if value is not None}

        def change(connection: Connection) -> dict[str, Any]:
            _one_at_a_time(connection, owner)
            connection.execute(
                "DELETE FROM settings WHERE owner = %s AND name = ANY(%s::text[])", (owner, gone)
            )
            connection.execute(
                "INSERT INTO settings SELECT %s, * FROM unnest(%s::text[], %s::text[])"
                " ON CONFLICT (owner, name) DO UPDATE SET value = excluded.value",
                (owner, list(kept), list(kept.values())),
            )
            return read_settings(connection, owner)

        return self._connections.write(change)


def read_settings(connection: Connection, owner: str) -> dict[str, Any]:
    rows = connection.execute("SELECT name, value FROM settings WHERE owner = %s", (owner,))
    return {name: json.loads(value) for name, value in rows}


def _one_at_a_time(connection: Connection, owner: str) -> None:
    """What comes back is what this change and those before it made, and nothing in between."""
    connection.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '/' || %s::text, 53))",
        (owner,),
    )


def _json(name: str, value: object) -> str:
    try:
        return json.dumps(value)
    except (TypeError, ValueError) as error:
        raise BadInput(f"settings.{name}", value, "cannot be kept as JSON") from error
