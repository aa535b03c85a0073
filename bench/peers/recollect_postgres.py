"""Recollect on Postgres: the same engine and whole answers, its rows, words and vectors in a server."""

from pathlib import Path

from tests.stores.postgres.server import PLAIN, WITH_BM25

from bench.peers.own_postgres import OwnPostgres
from bench.peers.recollect import Recollect
from recollect.ports import Place
from recollect.stores.postgres import PostgresStore, postgres_store
from recollect.stores.postgres.connections import Connection, unhurried
from recollect.stores.postgres.textsearch import make_whole, whole


class RecollectPostgres(Recollect):
    """A server without a BM25 index: tsvector finds, and the store scores."""

    package = PLAIN

    def _open(self, directory: Path) -> Place:
        self.address = OwnPostgres(self.package, directory).address
        return postgres_store(self.address)


class RecollectPostgresBM25(RecollectPostgres):
    """A server with pg_textsearch, whose index is built anew after each start of the server."""

    package = WITH_BM25

    def _open(self, directory: Path) -> Place:
        opened = super()._open(directory)
        assert isinstance(opened, PostgresStore)
        opened.connections.write(_make_whole)
        return opened


def _make_whole(connection: Connection) -> None:
    unhurried(connection)
    if not whole(connection):
        make_whole(connection)
