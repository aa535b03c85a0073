"""A Postgres of a peer's own, in the peer's directory: started when the peer is opened, stopped at the end
of the process, with the same settings for every peer."""

import atexit
import signal
from pathlib import Path

from tests.stores.postgres.server import Server

SETTINGS = (
    "shared_buffers=2GB",
    "maintenance_work_mem=3GB",
    "max_parallel_maintenance_workers=2",
    "max_wal_size=8GB",
    "random_page_cost=1.1",
    "jit=off",
)


class OwnPostgres:
    def __init__(self, package: str, directory: Path) -> None:
        self._server = Server(package, directory, SETTINGS)
        if not self._server.data.exists():
            self._server.initialise()
        self._server.start()
        self._server.adopt_bm25()
        atexit.register(self._server.stop, signal.SIGINT)
        self.address = self._server.address
