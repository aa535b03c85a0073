"""A collection in, a library that holds it out. Kept in a cache: by content, and within it by model."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from recollect.encoders.cache import cache_dir
from recollect.engine.learn import document_of
from recollect.evaluate.collections import Collection
from recollect.open import Library, open_library

BATCH: Final = 2000
Progress = Callable[[int], None]


def silent(_: int) -> None: ...


def indexed(
    collection: Collection,
    model: str | None = "auto",
    *,
    judge: str | None = None,
    cache: Path | None = None,
    progress: Progress = silent,
) -> Library:
    """Close it when done. What is there already is not made again; what is half done goes on."""
    library = open_library(store_of(collection, cache), vectors="none", model=model, judge=judge)
    try:
        _learn(collection, library)
        library.embed(progress)
        library.publish()
    except BaseException:
        library.close()
        raise
    return library


def store_of(collection: Collection, cache: Path | None = None) -> Path:
    """RECOLLECT_CACHE moves it, as it does models."""
    folder = (cache or cache_dir()) / "evaluate"
    return folder / f"{collection.name}-{collection.fingerprint}.db"


def _learn(collection: Collection, library: Library) -> None:
    notes = collection.notes
    if library.store.catalogue.counts().notes >= len(notes):
        return
    for at in range(0, len(notes), BATCH):
        library.store.writer.put(
            document_of(note, collection.passages.get(note.id, ()))
            for note in notes[at : at + BATCH]
        )
