"""The embedded default: one SQLite file, and indexes derived from it in a folder beside it."""

from pathlib import Path
from types import TracebackType

from recollect.ports import Store
from recollect.stores.sqlite.archive import SQLiteArchive
from recollect.stores.sqlite.browsing import SQLiteListing
from recollect.stores.sqlite.catalogue import SQLiteCatalogue
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.files import SQLiteFiles
from recollect.stores.sqlite.fresh import Indexes
from recollect.stores.sqlite.graph import SQLiteGraph
from recollect.stores.sqlite.roster import SQLiteRoster
from recollect.stores.sqlite.sessions import SQLiteSessions
from recollect.stores.sqlite.settings import SQLiteSettings
from recollect.stores.sqlite.shelf import SQLiteShelf
from recollect.stores.sqlite.sight import Sight
from recollect.stores.sqlite.slugs import SQLiteSlugs
from recollect.stores.sqlite.upkeep import SQLiteUpkeep
from recollect.stores.sqlite.usage import SQLiteUsage
from recollect.stores.sqlite.vector_writer import SQLiteVectorWriter
from recollect.stores.sqlite.vectors import SQLiteVectors
from recollect.stores.sqlite.words import SQLiteWords
from recollect.stores.sqlite.writer import SQLiteWriter


class SQLiteStore:
    """An open file. `store` is what the engine sees of it; close it when done."""

    def __init__(self, connections: Connections) -> None:
        self.connections = connections
        self.indexes = Indexes(connections)
        sight = Sight()
        self.store = Store(
            words=SQLiteWords(connections, self.indexes, sight),
            slugs=SQLiteSlugs(connections),
            vectors=SQLiteVectors(connections, self.indexes, sight),
            graph=SQLiteGraph(connections),
            shelf=SQLiteShelf(connections),
            listing=SQLiteListing(connections),
            catalogue=SQLiteCatalogue(connections, self.indexes),
            writer=SQLiteWriter(connections),
            vector_writer=SQLiteVectorWriter(connections, self.indexes),
            usage=SQLiteUsage(connections),
            sessions=SQLiteSessions(connections),
            roster=SQLiteRoster(connections),
            settings=SQLiteSettings(connections),
            files=SQLiteFiles(connections),
            archive=SQLiteArchive(connections),
        )
        self.upkeep = SQLiteUpkeep(self)

    @property
    def path(self) -> Path:
        return self.connections.path

    @property
    def address(self) -> str:
        return str(self.path)

    @property
    def beside(self) -> str:
        return str(self.path)

    def publish(self) -> None:
        self.indexes.publish()

    def close(self) -> None:
        self.indexes.close()
        self.connections.close()

    def __enter__(self) -> "SQLiteStore":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def sqlite_store(path: Path | str, *, create: bool = True) -> SQLiteStore:
    """Opens the store in this file; makes the file, and its folder, where there is none yet."""
    return SQLiteStore(Connections(Path(path), create=create))
