"""What went wrong at the server, told apart: what may be tried again, and what is said of the rest."""

from typing import Final

import psycopg
from psycopg import errors

from recollect.model.errors import BadInput, StoreError
from recollect.stores.postgres.address import Address

AGAIN: Final = (
    errors.SerializationFailure,
    errors.DeadlockDetected,
    errors.TooManyConnections,
    errors.IdleInTransactionSessionTimeout,
    errors.UndefinedTable,  # a model whose vectors were dropped after it had been looked up
    errors.ReadOnlySqlTransaction,  # a server that has just become a standby; the next one writes
)
LOST: Final = (errors.AdminShutdown, errors.CrashShutdown, errors.CannotConnectNow)


def is_lost(error: psycopg.Error) -> bool:
    """Whether the connection is gone: what was asked last may or may not have happened."""
    state = error.sqlstate
    if isinstance(error, LOST) or (state is not None and state.startswith("08")):
        return True
    return state is None and isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)


def may_try_again(error: psycopg.Error) -> bool:
    return is_lost(error) or isinstance(error, AGAIN)


def refused(error: psycopg.Error, address: Address) -> StoreError | BadInput:
    """An error of ours that says what the server said, and the way out where one is known."""
    said = address.without_secrets(_first_line(str(error)))
    if isinstance(error, psycopg.DataError) and "NUL" in said:
        return BadInput("text", "\\x00", "is a character that Postgres cannot keep; remove it")
    if isinstance(error, errors.QueryCanceled):
        way_out = (
            "; it took longer than the statement timeout: narrow the scope, or ask again later"
        )
        return StoreError(f"{address.shown}: {said}{way_out}")
    if isinstance(error, errors.InsufficientPrivilege):
        way_out = "; the role needs CREATE on the database, or the schema must be its own"
        return StoreError(f"{address.shown}: {said}{way_out}")
    if is_lost(error):
        return StoreError(f"{address.shown} cannot be reached: {said}")
    return StoreError(f"{address.shown}: {said}")


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0] if text.strip() else "no reason given"
