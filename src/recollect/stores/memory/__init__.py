"""The reference store: plain dictionaries, written to be read. Other stores must agree with it."""

from recollect.ports import Store
from recollect.stores.memory.archive import MemoryArchive
from recollect.stores.memory.files import MemoryFiles
from recollect.stores.memory.graph import MemoryGraph
from recollect.stores.memory.listing import MemoryListing
from recollect.stores.memory.roster import MemoryRoster
from recollect.stores.memory.shelf import MemoryShelf
from recollect.stores.memory.state import State
from recollect.stores.memory.vectors import MemoryVectors
from recollect.stores.memory.words import MemoryWords
from recollect.stores.memory.writer import MemoryWriter


def memory_store() -> Store:
    """A new, empty store that lives as long as the process."""
    state = State()
    words, vectors, writer = MemoryWords(state), MemoryVectors(state), MemoryWriter(state)
    listing = MemoryListing(state)
    return Store(
        words=words,
        slugs=words,
        vectors=vectors,
        graph=MemoryGraph(state),
        shelf=MemoryShelf(state),
        listing=listing,
        catalogue=listing,
        writer=writer,
        vector_writer=vectors,
        usage=writer,
        sessions=writer,
        roster=MemoryRoster(state),
        settings=writer,
        files=MemoryFiles(state),
        archive=MemoryArchive(state),
    )
