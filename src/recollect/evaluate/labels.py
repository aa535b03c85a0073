"""A user's own notes in, a collection with labels out. No model: what people wrote is the label.

Five kinds of labels, each a stratum: the text of a link that calls a note by another name than its
own, an alias, a heading, a note's own name, a question that a note asks. What a label says is hidden
from the index while it is scored, so that nobody finds a note by the very words of its label: the
heading, question, name or alias is taken out of the note's copy, and the notes that hold a link's
text cannot answer it. A note gives up one heading, question or name at most.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from recollect.engine.index import known_files
from recollect.evaluate.collections import Collection, Question, fingerprint_of
from recollect.ingest.chunk import passages_of
from recollect.ingest.links import Names, style_of, target_of
from recollect.ingest.markdown import markdown_page
from recollect.ingest.paths import name_of, without_markdown_suffix
from recollect.ingest.record import FileRecord
from recollect.model.errors import BadInput
from recollect.model.note import Note
from recollect.model.query import Scope
from recollect.open import EVERY, Library
from recollect.retrieve.words import tokens

LEAST_WORDS: Final = 2
MOST_WORDS: Final = 30
_QUESTION: Final = re.compile(
    r"(?:^|(?<=[.!?…]\s)|(?<=[。！？]))[^.!?\n。！？|#>\[\]]{8,200}[?？]", re.M
)


@dataclass(frozen=True, slots=True)
class Label:
    """`hidden`: the notes that cannot answer it, since they hold its very text."""

    kind: str
    text: str
    note_id: str
    hidden: frozenset[str] = frozenset()


def labelled(space: str, library: Library) -> Collection:
    """The notes of a space as they are, less what their labels say."""
    notes = library.store.listing.notes_in(Scope.of(space), EVERY)
    if not notes:
        raise BadInput("space", space, "holds no notes; recollect status lists the spaces")
    records = known_files(space, library.store).values()
    return collection_of(space, notes, list(records))


def collection_of(space: str, notes: Sequence[Note], records: Sequence[FileRecord]) -> Collection:
    """The labels of notes and of the links between them. Pure."""
    ordered = sorted(notes, key=lambda note: note.id)
    own = [label for note in ordered if (label := _own_label(note)) is not None]
    aliases = list(_aliases(records))
    said = {label.note_id: label for label in own}
    named = {label.note_id for label in aliases}
    masked = tuple(_masked(note, said.get(note.id), named) for note in ordered)
    labels = [*own, *aliases, *_anchors(records, {note.id: note for note in ordered})]
    questions, judgments = _judged(space, labels)
    return Collection(
        name=f"{space}-labels",
        notes=masked,
        questions=questions,
        judgments=judgments,
        fingerprint=fingerprint_of(masked),
        passages={
            note.id: passages_of(note.id, markdown_page("note.md", note.text)) for note in masked
        },
    )


def _own_label(note: Note) -> Label | None:
    """One of what the note itself offers, by a hash of its id: every kind gets its share."""
    offered = {
        kind: texts[_pick(note.id, len(texts))]
        for kind, texts in (
            ("heading", _headings(note)),
            ("question", _questions(note)),
            ("name", _names(note)),
        )
        if texts
    }
    if not offered:
        return None
    kinds = sorted(offered)
    kind = kinds[_pick(f"kind {note.id}", len(kinds))]
    return Label(kind, offered[kind], note.id)


def _headings(note: Note) -> list[str]:
    """All below the first: that one is a name."""
    found = markdown_page("note.md", note.text).headings
    return [one.text for one in found if one.text != note.title and _is_fit(one.text)]


def _questions(note: Note) -> list[str]:
    found = (one.strip() for one in _QUESTION.findall(note.text))
    return [one for one in found if _is_fit(one)]


def _names(note: Note) -> list[str]:
    return [note.title] if _is_fit(note.title) else []


def _is_fit(text: str) -> bool:
    return LEAST_WORDS <= len(tuple(tokens(text))) <= MOST_WORDS


def _aliases(records: Iterable[FileRecord]) -> Iterator[Label]:
    for record in sorted(records, key=lambda one: one.note_id):
        for alias in record.aliases:
            if _is_fit(alias) and alias.casefold() != record.title.casefold():
                yield Label("alias", alias, record.note_id)


def _anchors(records: Sequence[FileRecord], notes: Mapping[str, Note]) -> Iterator[Label]:
    """Whoever writes the same text for the same note says the same; all of them are hidden."""
    names = Names(records)
    style = style_of(records, names)
    ids = {record.path: record.note_id for record in records}
    sources: dict[tuple[str, str], set[str]] = defaultdict(set)
    for record in records:
        for mention in record.mentions:
            target = target_of(mention, style)
            text = mention.target if style == "dendron" else mention.label
            path = names.find(target, record.path) if mention.label else None
            if path and path != record.path and ids[path] in notes:
                sources[text.strip(), ids[path]].add(record.note_id)
    for (text, note_id), hidden in sorted(sources.items()):
        if _is_fit(text) and not _names_it(text, notes[note_id]):
            yield Label("anchor", text, note_id, frozenset(hidden))


def _names_it(text: str, note: Note) -> bool:
    names = (note.title, without_markdown_suffix(name_of(note.path)))
    return list(tokens(text)) in [list(tokens(name)) for name in names]


def _masked(note: Note, label: Label | None, called: set[str]) -> Note:
    if note.id in called:
        note = replace(note, summary="")  # where aliases are repeated
    if label is None:
        return note
    if label.kind == "name":
        return replace(note, title="", path=note.id, text=_without(note.text, label.text))
    return replace(note, text=_without(note.text, label.text))


def _without(text: str, said: str) -> str:
    """Every line that says nothing but this goes; elsewhere the words alone do."""
    bare = [line for line in text.split("\n") if line.strip("#*_ \t") != said]
    return "\n".join(bare).replace(said, "")


def _judged(
    space: str, labels: Iterable[Label]
) -> tuple[tuple[Question, ...], dict[str, dict[str, int]]]:
    """One question for each text of a kind; every note it labels is an answer."""
    grouped: dict[tuple[str, str], list[Label]] = defaultdict(list)
    for label in labels:
        grouped[label.kind, label.text].append(label)
    questions, judgments = [], {}
    for (kind, text), own in sorted(grouped.items()):
        key = f"{kind}-{hashlib.blake2b(text.encode(), digest_size=6).hexdigest()}"
        answers = {label.note_id: 1 for label in own}
        hidden = frozenset().union(*(label.hidden for label in own)) - answers.keys()
        questions.append(Question(key, text, stratum=kind, space=space, hidden=hidden))
        judgments[key] = answers
    return tuple(questions), judgments


def _pick(name: str, count: int) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=4).digest()) % count
