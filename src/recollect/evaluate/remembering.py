"""Questions in, their vectors out, each embedded once: kept beside the index that they are asked of.

For measuring quality, never time.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

import numpy as np
from numpy.typing import NDArray

from recollect.evaluate.collections import Collection
from recollect.open import Library
from recollect.ports import Embedder
from recollect.retrieve.words import normalise


class Remembering:
    """An embedder that embeds each text once."""

    def __init__(self, own: Embedder, kept: dict[str, NDArray[np.float32]] | None = None) -> None:
        self._own = own
        self.known = {} if kept is None else dict(kept)
        self.identity, self.dimensions = own.identity, own.dimensions
        self.may_wait, self.weak = own.may_wait, own.weak

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        unknown = [text for text in dict.fromkeys(texts) if text not in self.known]
        if unknown:
            self.known |= zip(unknown, self._own.embed(unknown), strict=True)
        return np.stack([self.known[text] for text in texts])


@contextmanager
def remembering(collection: Collection, library: Library) -> Iterator[None]:
    """The library with all of a collection's questions embedded, side by side where they are new."""
    own = library.embedder
    if own is None or not collection.questions:
        yield
        return
    place = _place_of(library, own)
    kept = read_vectors(place)
    library.embedder = known = Remembering(own, kept)
    try:
        known.embed([normalise(question.text) for question in collection.questions])
        yield
    finally:
        library.embedder = own
        if len(known.known) > len(kept):
            write_vectors(place, known.known)


def read_vectors(place: Path) -> dict[str, NDArray[np.float32]]:
    """By text; a file that is not there holds none."""
    if not place.is_file():
        return {}
    with np.load(place) as read:
        return dict(zip(map(str, read["texts"]), read["vectors"], strict=True))


def write_vectors(place: Path, vectors: Mapping[str, NDArray[np.float32]]) -> None:
    """In one step: whoever reads meanwhile sees all of it or what was there before."""
    with NamedTemporaryFile(dir=place.parent, suffix=".npz", delete=False) as half:
        np.savez(half, texts=np.array(list(vectors)), vectors=np.stack(list(vectors.values())))
    Path(half.name).replace(place)


def _place_of(library: Library, model: Embedder) -> Path:
    """An identity can hold what no file name may, so its digest stands for it."""
    digest = hashlib.blake2b(model.identity.encode(), digest_size=6).hexdigest()
    return Path(f"{library.place.beside}.questions-{digest}.npz")
