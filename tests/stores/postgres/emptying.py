"""A store as new, without making its tables again."""

from recollect.stores.postgres import PostgresStore
from recollect.stores.postgres.connections import Connection
from recollect.stores.postgres.models import models
from recollect.stores.postgres.schema import TABLES


def empty(opened: PostgresStore) -> None:
    opened.connections.write(_empty)


def _empty(connection: Connection) -> None:
    for model in models(connection):
        connection.execute(f"DROP TABLE {model.table}")
    for name in ("settings", "models", *(table.name for table in TABLES)):
        connection.execute(f"DELETE FROM {name}")
