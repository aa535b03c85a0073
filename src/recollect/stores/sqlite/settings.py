"""Small named values that outlive a process, each kept as JSON."""

import json
import sqlite3
from collections.abc import Mapping
from typing import Any

from recollect.model.errors import BadInput
from recollect.stores.languages import check_english
from recollect.stores.sqlite.connection import Connections


class SQLiteSettings:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def settings(self, owner: str) -> Mapping[str, Any]:
        with self._connections.reading() as connection:
            return _read(connection, owner)

    def change_settings(self, owner: str, changes: Mapping[str, Any]) -> Mapping[str, Any]:
        """A value of None takes a setting away."""
        check_english(owner, changes)
        gone = [(owner, name) for name, value in changes.items() if value is None]
        kept = [(owner, name, _json(name, v)) for name, v in changes.items() if v is not None]
        with self._connections.writing() as connection:
            connection.executemany("DELETE FROM settings WHERE owner = ? AND name = ?", gone)
            connection.executemany("INSERT OR REPLACE INTO settings VALUES (?, ?, ?)", kept)
            return _read(connection, owner)


def _read(connection: sqlite3.Connection, owner: str) -> dict[str, Any]:
    rows = connection.execute("SELECT name, value FROM settings WHERE owner = ?", (owner,))
    return {name: json.loads(value) for name, value in rows}


def _json(name: str, value: object) -> str:
    try:
        return json.dumps(value)
    except (TypeError, ValueError) as error:
        raise BadInput(f"settings.{name}", value, "cannot be kept as JSON") from error
