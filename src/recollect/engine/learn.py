"""A note's way in: cut into passages, its traits read off, written; then embedded, batch by batch."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from recollect.model.note import Document, Note, Passage
from recollect.ports import Embedder, VectorWriter, Writer
from recollect.retrieve.intent import traits_of

BATCH: Final = 256


def learn(notes: Iterable[Note], writer: Writer) -> int:
    """Stores notes that are their own single passage, as memories and episodes are."""
    documents = [document_of(note) for note in notes]
    writer.put(documents)
    return len(documents)


def document_of(note: Note, passages: tuple[Passage, ...] = ()) -> Document:
    """A note ready for a store; without passages given it is its own single one."""
    whole = Passage(f"{note.id}#0", note.id, note.text, last_line=note.text.count("\n") + 1)
    titled = tuple(replace(passage, title=note.title) for passage in passages or (whole,))
    traits = traits_of(note.path, note.title, note.summary, note.text)
    return Document(note, titled, traits)


def embed_waiting(
    vectors: VectorWriter,
    embedder: Embedder,
    progress: Callable[[int], None] = lambda _: None,
    batch: int = BATCH,
) -> int:
    """Embeds what still waits for this model. Each batch is kept as it is done, so that stopping
    half-way loses nothing; notes are found by their words all the while."""
    done = 0
    while waiting := vectors.without_vector(embedder.identity, batch):
        embed_passages(waiting, vectors, embedder)
        done += len(waiting)
        progress(len(waiting))
    return done


def embed_passages(passages: Sequence[Passage], vectors: VectorWriter, embedder: Embedder) -> None:
    made = embedder.embed([embedded_text(passage) for passage in passages])
    own = {passage.id: vector for passage, vector in zip(passages, made, strict=True)}
    vectors.put_vectors(embedder.identity, own)


def embedded_text(passage: Passage) -> str:
    """What a model reads: the passage under its title and headings."""
    return "\n".join(part for part in (passage.title, *passage.heading, passage.text) if part)
