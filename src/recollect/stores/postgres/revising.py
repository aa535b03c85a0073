"""What is to be kept and what is kept already in, what must be done out. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from recollect.model.note import Document, Note, Passage
from recollect.stores.passage_words import passage_words
from recollect.stores.postgres.lexemes import Row, row_of

Named = tuple[str, tuple[str, ...], str]
"""What of a note is part of each of its passages' words: title, tags and path."""


class Piece(NamedTuple):
    """A passage in its place, with its words."""

    place: int
    passage: Passage
    words: Row


class Prepared(NamedTuple):
    document: Document
    pieces: tuple[Piece, ...]


@dataclass
class Known:
    """What is kept of a note already, as far as writing it again depends on it."""

    named: Named | None = None
    passages: dict[str, tuple[int, Passage]] = field(default_factory=dict)


@dataclass
class Revision:
    """`changed` lose their vectors; `reworded` are the same text under another title, tag or path."""

    gone: list[str] = field(default_factory=list)
    added: list[Piece] = field(default_factory=list)
    changed: list[Piece] = field(default_factory=list)
    reworded: list[Piece] = field(default_factory=list)
    replaced: list[Piece] = field(default_factory=list)

    @property
    def lost(self) -> list[str]:
        """The passages of which nothing stays."""
        return [*self.gone, *(piece.passage.id for piece in self.changed)]

    @property
    def spoken_anew(self) -> list[Piece]:
        return [*self.added, *self.changed, *self.reworded]


def prepared(document: Document, language: str) -> Prepared:
    words = (row_of(one, language) for one in passage_words(document))
    pieces = zip(range(len(document.passages)), document.passages, words, strict=True)
    return Prepared(document, tuple(Piece(*piece) for piece in pieces))


def named(note: Note) -> Named:
    return note.title, note.tags, note.path


def revision(ready: Iterable[Prepared], known: Mapping[str, Known]) -> Revision:
    made = Revision()
    for one in ready:
        note = one.document.note
        _revise(made, one, known.get(note.id, Known()))
    return made


def _revise(made: Revision, one: Prepared, known: Known) -> None:
    before = dict(known.passages)
    renamed = known.named != named(one.document.note)
    for piece in one.pieces:
        old = before.pop(piece.passage.id, None)
        if old is None:
            made.added.append(piece)
            continue
        place, passage = old
        if passage != piece.passage:
            made.changed.append(piece)
            continue
        if renamed:
            made.reworded.append(piece)
        if place != piece.place:
            made.replaced.append(piece)
    made.gone.extend(before)
