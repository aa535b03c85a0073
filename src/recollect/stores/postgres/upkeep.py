"""Looking after the store: its examination, its repair; its copy is the server's business."""

from collections.abc import Sequence

from recollect.model.errors import StoreError
from recollect.model.inventory import Finding
from recollect.stores.postgres.connections import Connections
from recollect.stores.postgres.doctor import examine
from recollect.stores.postgres.repair import repair


class PostgresUpkeep:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def examine(self, *, thorough: bool = False) -> Sequence[Finding]:
        return examine(self._connections, thorough=thorough)

    def repair(self) -> None:
        repair(self._connections)

    def backup(self, target: str) -> str:
        raise StoreError(
            f"a store in Postgres is backed up by its server: pg_dump --schema="
            f"{self._connections.schema} --format=custom --file={target} (with the store's address);"
            " recollect export writes its notes as JSON lines"
        )
