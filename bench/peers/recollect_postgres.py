"""Recollect on Postgres: the same engine and whole answers, its rows, words and vectors in a server."""

from pathlib import Path

from tests.stores.postgres.server import PLAIN, WITH_BM25

from bench.peers.own_postgres import OwnPostgres
from bench.peers.recollect import Recollect
from recollect.ports import Place
from recollect.stores.postgres import postgres_store


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
        opened.publish()
        return opened
