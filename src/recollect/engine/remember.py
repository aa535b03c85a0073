"""A memory in; stored, or known already, or put in the place of one that it brings up to date.

Nothing is ever deleted here. A memory that another one supersedes stays readable and steps back.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal

from recollect.engine.learn import document_of, embed_passages
from recollect.model.errors import BadInput, EncoderError, VectorsAway
from recollect.model.note import Link, Note
from recollect.model.query import Scope
from recollect.ports import Embedder, Store
from recollect.retrieve.parse import parse
from recollect.retrieve.resolve import resolve
from recollect.retrieve.words import fold, normalise, stem, tokens

Outcome = Literal["inserted", "duplicate", "supersedes"]
LINK_KINDS: Final = ("supersedes", "part-of", "see-also", "resolved-by")

SAME_MEANING: Final = 0.9
"""Cosine from which two memories may speak of the same thing; their words must agree as well."""
SHARED_WORDS: Final = 0.5
"""Share of their different words that two memories of one meaning have in common."""
SHARED_WORDS_ALONE: Final = 0.8
"""The same where no model can tell, or only a weak one."""
CANDIDATES: Final = 30


@dataclass(frozen=True, slots=True)
class Remembered:
    """What came of a memory. `other` is the one it repeats or supersedes, `cosine` and `overlap` how
    like it it is; `embedded` is False where the vector comes later."""

    outcome: Outcome
    note_id: str
    other: str | None = None
    cosine: float | None = None
    overlap: float | None = None
    embedded: bool = False


@dataclass(frozen=True, slots=True)
class _Likeness:
    note: Note
    same: bool
    cosine: float | None
    overlap: float


def remember(
    note: Note, store: Store, embedder: Embedder | None, *, distinct: bool = False
) -> Remembered:
    """`distinct` stores it for itself, whatever it is like."""
    if not note.text.strip():
        raise BadInput("text", note.text, "is empty; there is nothing to remember")
    _check_links(note, store)
    found = None if distinct else _most_alike(note, store, embedder)
    if found and found.same:
        return Remembered("duplicate", found.note.id, found.note.id, 1.0, 1.0, embedded=True)
    if found is None:
        return Remembered("inserted", note.id, embedded=_put(note, store, embedder))
    linked = replace(note, links=(*note.links, Link(found.note.id, "supersedes")))
    done = _put(linked, store, embedder)
    return Remembered(
        "supersedes", note.id, found.note.id, found.cosine, found.overlap, embedded=done
    )


def _check_links(note: Note, store: Store) -> None:
    known = store.shelf.notes(link.target for link in note.links)
    for link in note.links:
        if link.kind not in LINK_KINDS:
            raise BadInput("links.kind", link.kind, f"is not one of {', '.join(LINK_KINDS)}")
        if link.target not in known or known[link.target].space != note.space:
            raise BadInput("links.target", link.target, f"is no note of the space '{note.space}'")


def _put(note: Note, store: Store, embedder: Embedder | None) -> bool:
    """Found by words at once; whether it is found by meaning already."""
    document = document_of(note)
    store.writer.put([document])
    if embedder is None or store.vector_writer is None:
        return False
    try:
        embed_passages(document.passages, store.vector_writer, embedder)
    except (EncoderError, VectorsAway):  # without a vector it waits in line for the next embedding
        return False
    return True


def _most_alike(note: Note, store: Store, embedder: Embedder | None) -> _Likeness | None:
    """The memory of the same space and project that this one repeats or brings up to date."""
    ids, cosines = _candidates(note, store, embedder)
    facts = store.shelf.facts(ids)
    fair = embedder is not None and not embedder.weak
    likenesses = (
        _likeness(note, other, cosines.get(other.id) if fair else None)
        for other in store.shelf.notes(ids).values()
        if other.project == note.project and other.id != note.id and not facts[other.id].superseded
    )
    alike = [one for one in likenesses if one.same or _is_near(one)]
    return max(alike, key=lambda one: (one.same, one.overlap, one.note.created_at), default=None)


def _candidates(
    note: Note, store: Store, embedder: Embedder | None
) -> tuple[list[str], dict[str, float]]:
    scope = Scope.of(note.space)
    tree = resolve(parse(note.text, "plain").tree, "any")
    ids = dict.fromkeys(hit.note_id for hit in store.words.find(tree, scope, CANDIDATES))
    cosines: dict[str, float] = {}
    if embedder is not None and store.vectors is not None:
        try:
            vector = embedder.embed([note.text])[0]
            near = store.vectors.nearest(embedder.identity, vector, scope, CANDIDATES)
            near_ids = dict.fromkeys(hit.note_id for hit in near)
            compared = store.vectors.similarities(embedder.identity, vector, ids | near_ids)
        except (EncoderError, VectorsAway):  # words alone decide what it is like
            return list(ids), {}
        ids |= near_ids
        cosines = {hit.note_id: hit.score for hit in compared}
    return list(ids), cosines


def _likeness(note: Note, other: Note, cosine: float | None) -> _Likeness:
    same = _folded(note.text) == _folded(other.text)
    return _Likeness(other, same, cosine, overlap(note.text, other.text))


def _is_near(one: _Likeness) -> bool:
    if one.cosine is None:
        return one.overlap >= SHARED_WORDS_ALONE
    return one.cosine >= SAME_MEANING and one.overlap >= SHARED_WORDS


def _folded(text: str) -> str:
    return fold(normalise(text)).strip(" .!")


def overlap(one: str, other: str) -> float:
    """Shared words out of all their words, by stem."""
    own, theirs = _stems(tokens(one)), _stems(tokens(other))
    return len(own & theirs) / len(own | theirs) if own and theirs else 0.0


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(map(stem, words))
