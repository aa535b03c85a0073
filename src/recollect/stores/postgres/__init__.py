"""A Postgres with pgvector: every leg in one server, for those who outgrow one file."""

from types import TracebackType

from recollect.ports import Store
from recollect.stores.postgres.address import address_of
from recollect.stores.postgres.archive import PostgresArchive
from recollect.stores.postgres.catalogue import PostgresCatalogue
from recollect.stores.postgres.connections import Connections, reach
from recollect.stores.postgres.files import PostgresFiles
from recollect.stores.postgres.graph import PostgresGraph
from recollect.stores.postgres.listing import PostgresListing
from recollect.stores.postgres.migrations import migrate
from recollect.stores.postgres.publishing import adopt_if_empty, publish
from recollect.stores.postgres.roster import PostgresRoster
from recollect.stores.postgres.sessions import PostgresSessions
from recollect.stores.postgres.settings import PostgresSettings
from recollect.stores.postgres.shelf import PostgresShelf
from recollect.stores.postgres.slugs import PostgresSlugs
from recollect.stores.postgres.upkeep import PostgresUpkeep
from recollect.stores.postgres.usage import PostgresUsage
from recollect.stores.postgres.vector_writer import PostgresVectorWriter
from recollect.stores.postgres.vectors import PostgresVectors
from recollect.stores.postgres.words import PostgresWords
from recollect.stores.postgres.writer import PostgresWriter
from recollect.stores.whereabouts import beside

PARTITIONS = 16
POOL = 8


class PostgresStore:
    """An open schema of a server. `store` is what the engine sees of it; close it when done."""

    def __init__(self, connections: Connections, beside: str) -> None:
        self.connections = connections
        self.beside = beside
        self.store = Store(
            words=PostgresWords(connections),
            slugs=PostgresSlugs(connections),
            vectors=PostgresVectors(connections),
            graph=PostgresGraph(connections),
            shelf=PostgresShelf(connections),
            listing=PostgresListing(connections),
            catalogue=PostgresCatalogue(connections),
            writer=PostgresWriter(connections),
            vector_writer=PostgresVectorWriter(connections),
            usage=PostgresUsage(connections),
            sessions=PostgresSessions(connections),
            roster=PostgresRoster(connections),
            settings=PostgresSettings(connections),
            files=PostgresFiles(connections),
            archive=PostgresArchive(connections),
        )
        self.upkeep = PostgresUpkeep(connections)

    @property
    def address(self) -> str:
        return self.connections.address.shown

    def publish(self) -> None:
        publish(self.connections)

    def close(self) -> None:
        self.connections.close()

    def __enter__(self) -> "PostgresStore":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def postgres_store(
    address: str,
    *,
    replica: str | None = None,
    schema: str = "recollect",
    partitions: int = PARTITIONS,
    pool_size: int = POOL,
    create: bool = True,
) -> PostgresStore:
    """Opens the store in this schema; makes it, in so many partitions, where there is none yet.

    Reads go to the replica, if one is named, and to the server itself when that is gone.
    """
    primary, second = address_of(address), address_of(replica) if replica else None
    reach(primary)
    connections = Connections(primary, schema, replica=second, pool_size=pool_size)
    try:
        migrate(connections, partitions, create=create)
        adopt_if_empty(connections)
    except BaseException:
        connections.close()
        raise
    return PostgresStore(connections, beside(address))
