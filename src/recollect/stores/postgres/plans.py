"""Telling the planner what has been decided: rows come in the order of an index, and no other way.

It may think a table smaller than it is, and sort what an index would bring in order.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from recollect.stores.postgres.connections import Connection

_OTHER_WAYS: Final = ("sort", "hashjoin", "mergejoin", "bitmapscan", "seqscan")


@contextmanager
def in_index_order(connection: Connection) -> Iterator[None]:
    _allow(connection, "off")
    yield
    _allow(connection, "on")


def _allow(connection: Connection, whether: str) -> None:
    """Until the transaction ends, which also undoes it after an error."""
    changed = ", ".join(f"set_config('enable_{way}', '{whether}', true)" for way in _OTHER_WAYS)
    connection.execute(f"SELECT {changed}")
