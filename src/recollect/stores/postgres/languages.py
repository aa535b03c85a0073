"""The language each space's words are stemmed in.

What a space should speak is a setting (owner `languages`: space to language). What its words were
really taken apart in is kept with them, in `spaces`; the two meet again when the store is published.
"""

from collections.abc import Iterable
from typing import Final

from recollect.retrieve.words import ENGLISH
from recollect.stores.languages import OWNER
from recollect.stores.passage_words import COUNTING
from recollect.stores.postgres.connections import Connection
from recollect.stores.postgres.settings import read_settings

_ALONE: Final = (
    "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '/' || %s::text, 54))"
)
_SHARED: Final = _ALONE.replace("_lock(", "_lock_shared(")


def holding_still(connection: Connection, spaces: Iterable[str]) -> None:
    """Whoever writes into a space holds off whoever would derive its words anew, and the other way."""
    connection.execute(_SHARED, ("",))
    for space in sorted(spaces):
        connection.execute(_SHARED, (space,))


def changing(connection: Connection, space: str = "") -> None:
    """Of one space, or of all of them: nobody writes there until this transaction ends."""
    connection.execute(_ALONE, (space,))


def languages_of(connection: Connection, spaces: Iterable[str]) -> dict[str, str]:
    """What the words of these spaces are stemmed in; a space that is new is opened in its language."""
    wanted = sorted(set(spaces))
    statement = "SELECT space, language FROM spaces WHERE space = ANY(%s::text[])"
    known: dict[str, str] = dict(connection.execute(statement, (wanted,)).fetchall())
    missing = [space for space in wanted if space not in known]
    if missing:
        wished = wishes(connection)
        for space in missing:
            connection.execute(
                "INSERT INTO spaces VALUES (%s, %s, %s, 0, 0) ON CONFLICT DO NOTHING",
                (space, wished.get(space, ENGLISH), COUNTING),
            )
        known = dict(connection.execute(statement, (wanted,)).fetchall())
    return known


def wishes(connection: Connection) -> dict[str, str]:
    return {space: str(one) for space, one in read_settings(connection, OWNER).items()}
