"""Making what is derived ready for whoever searches next: languages, indexes, the planner's figures."""

from functools import partial
from typing import Final

from recollect.stores.passage_words import COUNTING
from recollect.stores.postgres import hnsw
from recollect.stores.postgres.connections import Connection, Connections, unhurried
from recollect.stores.postgres.languages import wishes
from recollect.stores.postgres.migrations import lock
from recollect.stores.postgres.models import Model
from recollect.stores.postgres.rederiving import derive_words
from recollect.stores.postgres.textsearch import adopt, adopted, installed, make_whole, whole

SOON_BUILT: Final = 200_000
"""Passages up to which an index of words is built anew without being asked: writers wait meanwhile."""
_SPOKEN: Final = "SELECT space, language, edition FROM spaces ORDER BY space"
_CHANGED: Final = r"""
SELECT DISTINCT regexp_replace(relname, '_\d+$', '') FROM pg_stat_user_tables
WHERE schemaname = current_schema() AND relname ~ '_\d+$'
    AND n_mod_since_analyze > 100 + n_live_tup / 10
"""


def publish(
    connections: Connections, grown: int = hnsw.GROWN, soon_built: int = SOON_BUILT
) -> None:
    for space, language in connections.read(outdated).items():
        connections.write(partial(derive_words, space=space, language=language))
    connections.write(lambda connection: _adopt(connection, connections.schema, soon_built))
    for model, table in connections.read(lambda connection: hnsw.lacking_of_all(connection, grown)):
        connections.write(partial(_build, model=model, table=table))
    connections.write(_analyze)


def outdated(connection: Connection) -> dict[str, str]:
    """The spaces whose words are not those of their language, or of this edition; what they should be."""
    wished = wishes(connection)
    spoken = [
        (space, language, edition, wished.get(space, str(language)))
        for space, language, edition in connection.execute(_SPOKEN)
    ]
    return {
        space: wanted
        for space, language, edition, wanted in spoken
        if (language, edition) != (wanted, COUNTING)
    }


def adopt_if_empty(connections: Connections) -> None:
    """A new store uses what the server has; a full one would have to be rewritten, so that it waits
    until it is published."""

    def wanted(connection: Connection) -> bool:
        if adopted(connection) or not installed(connection):
            return False
        return connection.execute("SELECT 1 FROM words LIMIT 1").fetchone() is None

    if connections.read(wanted):
        connections.write(lambda connection: _adopt(connection, connections.schema))


def _adopt(connection: Connection, schema: str, soon_built: int = SOON_BUILT) -> None:
    if not installed(connection) or whole(connection):
        return
    unhurried(connection)
    lock(connection, schema)
    if not adopted(connection):
        adopt(connection)
    elif not whole(connection) and _passages(connection) <= soon_built:
        make_whole(connection)


def _passages(connection: Connection) -> int:
    found = connection.execute("SELECT coalesce(sum(passages), 0)::bigint FROM spaces").fetchone()
    return int(found[0]) if found else 0


def _build(connection: Connection, model: Model, table: str) -> None:
    unhurried(connection)
    hnsw.build(connection, model, table)


def _analyze(connection: Connection) -> None:
    """The planner's figures, of the tables that have changed by more than a tenth."""
    unhurried(connection)
    for (table,) in connection.execute(_CHANGED).fetchall():
        connection.execute(f"ANALYZE {table}")
