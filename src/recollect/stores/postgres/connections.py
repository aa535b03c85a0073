"""Connections to the server, a pool of them, and what happens when one is lost.

Work is a function of a connection and one transaction: it runs as a whole or not at all. It is run
again where that is safe, a few times and not for long; else an error says what is known.
"""

import logging
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import psycopg
from psycopg import IsolationLevel, sql
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from recollect.model.errors import BadInput, StoreError
from recollect.stores.postgres.address import Address
from recollect.stores.postgres.failures import is_lost, may_try_again, refused

# what a pool has to say comes back as our own errors; without a handler it would go to stderr as well
logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())

Connection = psycopg.Connection[tuple[Any, ...]]
Work = Callable[[Connection], Any]
T = TypeVar("T")

TRIES: Final = 6
PATIENCE: Final = 20.0  # seconds; a server that starts again takes a few
WAIT: Final = 10.0  # seconds for a connection to be free
STATEMENT_TIMEOUT: Final = 60.0  # seconds
_PAUSE: Final = 0.05  # seconds before the second try, twice as long before each further one
_CONNECT_TIMEOUT: Final = 5  # seconds
_REPLICA_WAIT: Final = 1.0  # seconds for a connection to the replica
_REPLICA_RESTS: Final = 30.0  # seconds a replica that did not answer is left alone

_SESSION: Final = sql.SQL(
    "SELECT set_config('search_path', {path}, false), set_config('TimeZone', 'UTC', false),"
    " set_config('statement_timeout', {timeout}, false),"
    " set_config('idle_in_transaction_session_timeout', '300s', false)"
)


class Connections:
    """The pools of one store: one of the server that writes, one of a replica if there is one."""

    def __init__(
        self,
        address: Address,
        schema: str,
        *,
        replica: Address | None = None,
        pool_size: int = 8,
        wait: float = WAIT,
        patience: float = PATIENCE,
    ) -> None:
        self.address = address
        self.schema = schema
        self._wait = wait
        self._patience = patience
        self._primary = self._pool(address, pool_size)
        self._replica = self._pool(replica, pool_size) if replica else None
        self._replica_rests = 0.0

    def read(self, work: Callable[[Connection], T]) -> T:
        """One unchanging view, as of now: what was written is there."""
        return self._tried(work, reading=True, again=True)

    def search(self, work: Callable[[Connection], T]) -> T:
        """The replica's view, if there is one and it answers, which may be a little behind."""
        if self._replica is not None and time.monotonic() > self._replica_rests:
            try:
                return self._once(self._replica, work, reading=True)
            except (psycopg.Error, PoolTimeout):
                # gone, or so far behind that a table is missing: the primary knows all that the
                # replica knows, and answers or says why not
                self._replica_rests = time.monotonic() + _REPLICA_RESTS
        return self.read(work)

    def write(
        self, work: Callable[[Connection], T], *, again: bool = True, tries: int = TRIES
    ) -> T:
        """`again`: doing it twice is as good as once, so that it may be repeated when the server
        was lost while it committed, and nobody knows whether it did. `tries` is 1 for work that
        uses up what it is given."""
        return self._tried(work, reading=False, again=again, tries=tries)

    @contextmanager
    def viewing(self) -> Iterator[Connection]:
        """One unchanging view for as long as whoever reads takes; lost with its connection."""
        try:
            with self._primary.connection(timeout=self._wait) as connection:
                connection.isolation_level = IsolationLevel.REPEATABLE_READ
                connection.read_only = True
                connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
                yield connection
        except PoolTimeout as error:
            raise self._no_connection() from error
        except psycopg.Error as error:
            raise refused(error, self.address) from error

    def close(self) -> None:
        for pool in (self._primary, self._replica):
            if pool is not None:
                pool.close()

    def _tried(
        self, work: Callable[[Connection], T], *, reading: bool, again: bool, tries: int = TRIES
    ) -> T:
        deadline = time.monotonic() + self._patience
        for attempt in range(1, tries + 1):
            try:
                return self._once(self._primary, work, reading=reading)
            except UnicodeEncodeError as error:
                why = "holds half of a surrogate pair, which no store can keep"
                raise BadInput("text", error.object, why) from error
            except PoolTimeout as error:
                raise self._no_connection() from error
            except PoolClosed as error:
                raise StoreError(f"{self.address.shown} has been closed") from error
            except _Unknown as error:
                if not again or tries == 1:
                    raise StoreError(
                        f"{self.address.shown}: the connection was lost while a change was being"
                        " kept; it may or may not be there, so it is not tried again: look first"
                    ) from error.__cause__
                failed: psycopg.Error = error.why
            except psycopg.Error as error:
                failed = error
            if not may_try_again(failed) or attempt == tries or time.monotonic() > deadline:
                raise refused(failed, self.address) from failed
            self._recover(failed, attempt)
        raise AssertionError  # the last try returns or raises

    def _once(self, pool: "_Pool", work: Callable[[Connection], T], *, reading: bool) -> T:
        patience = self._wait if pool is self._primary else min(self._wait, _REPLICA_WAIT)
        with pool.connection(timeout=patience) as connection:
            connection.isolation_level = (
                IsolationLevel.REPEATABLE_READ if reading else IsolationLevel.READ_COMMITTED
            )
            connection.read_only = reading
            made = work(connection)
            try:
                connection.commit()
            except psycopg.Error as error:
                if is_lost(error):
                    raise _Unknown(error) from error
                raise
            return made

    def _recover(self, failed: psycopg.Error, attempt: int) -> None:
        time.sleep(random.uniform(0.5, 1.5) * _PAUSE * 2 ** (attempt - 1))  # noqa: S311
        if is_lost(failed):
            self._primary.check()  # what was connected to a server that is gone is thrown away

    def _no_connection(self) -> StoreError:
        """Either all are busy, or there is no server to connect to: asking it tells which."""
        try:
            reach(self.address)
        except StoreError as error:
            return error
        size = self._primary.max_size
        return StoreError(
            f"{self.address.shown}: all {size} connections were busy for {self._wait:g} seconds;"
            " ask less at once, or open the store with a larger pool_size"
        )

    def _pool(self, address: Address, size: int) -> "_Pool":
        return ConnectionPool(
            address.conninfo,
            min_size=1,
            max_size=max(1, size),
            open=True,
            timeout=self._wait,
            configure=self._configure,
            kwargs={"connect_timeout": _CONNECT_TIMEOUT, "prepare_threshold": None},
            reconnect_timeout=self._patience,
            num_workers=2,
        )

    def _configure(self, connection: Connection) -> None:
        """Every plan is made for the values at hand: the space decides which partition is read."""
        path = sql.Literal(", ".join((sql.Identifier(self.schema).as_string(), "public")))
        timeout = sql.Literal(f"{STATEMENT_TIMEOUT:.0f}s")
        connection.execute(_SESSION.format(path=path, timeout=timeout))
        connection.commit()


_Pool = ConnectionPool[Connection]


class _Unknown(Exception):
    """The connection was lost while a transaction was being committed."""

    def __init__(self, why: psycopg.Error) -> None:
        self.why = why
        super().__init__(str(why))


def reach(address: Address) -> None:
    """Says at once why a server cannot be used, where a pool would go on trying."""
    try:
        psycopg.connect(address.conninfo, connect_timeout=_CONNECT_TIMEOUT).close()
    except psycopg.OperationalError as error:
        raise StoreError(str(refused(error, address))) from error


def unhurried(connection: Connection) -> None:
    """What builds or rebuilds may take as long as it takes."""
    connection.execute("SET LOCAL statement_timeout = 0")
