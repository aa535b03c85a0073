"""Notes: made, read, changed, removed, one by one or many at once, and their neighbours."""

import uuid
from dataclasses import replace
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Response
from pydantic import Field

from recollect.faces.http.places import MEMORY
from recollect.faces.http.problems import Conflict
from recollect.faces.http.shapes import (
    Body,
    CountRead,
    Id,
    Importance,
    Moment,
    Name,
    Parameters,
    SkipRead,
    Text,
    Title,
    stamp,
)
from recollect.faces.http.tokens import Caller
from recollect.faces.http.told import (
    Neighbour,
    Neighbours,
    NoteNamed,
    NotesPage,
    NotesRemoved,
    NotesTold,
    NoteTold,
    NoteUsed,
    SpacesTold,
)
from recollect.faces.http.world import By, InWorld, World, may_write, spaces_seen
from recollect.faces.moments import moment_of
from recollect.model.errors import BadInput, NotFound
from recollect.model.note import LEVELS, Link, Note
from recollect.model.query import Scope

router = APIRouter(tags=["notes"])

MOST = 1000


class LinkShape(Body):
    target: Name
    kind: Name = "see-also"


Tags = Annotated[list[Name], Field(max_length=1000)]
Links = Annotated[list[LinkShape], Field(max_length=1000)]


class NoteShape(Body):
    text: Text
    id: Id | None = None
    space: Name = MEMORY
    title: Title = ""
    path: Title = ""
    summary: Title = ""
    importance: Importance = LEVELS["medium"]
    session: Name | None = None
    project: Name | None = None
    tags: Tags = Field(default_factory=list)
    links: Links = Field(default_factory=list)
    created_at: Moment | None = None
    modified_at: Moment | None = None


class NoteChange(Body):
    """Only the fields that are sent count; the defaults stand for nothing."""

    text: Text = ""
    title: Title = ""
    path: Title = ""
    summary: Title = ""
    importance: Importance = LEVELS["medium"]
    tags: Tags = Field(default_factory=list)
    links: Links = Field(default_factory=list)


class Batch(Body):
    notes: Annotated[list[NoteShape], Field(min_length=1, max_length=MOST)]


class Removal(Body):
    ids: Annotated[list[Id], Field(min_length=1, max_length=MOST)]
    dry_run: bool = False
    """Only tell what would be removed."""


class NotesWanted(Parameters):
    space: Name | None = None
    session: Name | None = None
    project: Name | None = None
    tag: Name | None = None
    since: Moment | None = None
    before: Moment | None = None
    limit: CountRead = 50
    offset: SkipRead = 0


@router.get("/spaces")
def read_spaces(world: InWorld, caller: By) -> SpacesTold:
    """The spaces that have a note and that the caller may see."""
    return SpacesTold(spaces=[one for one in world.library.spaces() if caller.sees(one)])


@router.get("/notes")
def read_notes(world: InWorld, caller: By, given: Annotated[NotesWanted, Query()]) -> NotesPage:
    """The most recently changed first; one more page while `more` says so."""
    now = world.library.clock.now()
    scope = Scope.of(
        *spaces_seen(world, caller, [given.space] if given.space else None),
        sessions=[given.session] if given.session else None,
        projects=[given.project] if given.project else None,
        tags=[given.tag] if given.tag else [],
        since=moment_of("since", given.since, now),
        before=moment_of("before", given.before, now),
    )
    found = world.library.store.listing.notes_in(scope, given.limit + 1, given.offset)
    shown = [NoteTold.of(note) for note in found[: given.limit]]
    return NotesPage(notes=shown, more=len(found) > given.limit)


@router.post("/notes", status_code=201)
def create_note(world: InWorld, caller: By, given: NoteShape, response: Response) -> NoteTold:
    [note] = _write(world, caller, [given])
    response.headers["Location"] = f"/notes/{quote(note.id)}"
    return NoteTold.of(note)


@router.post("/notes/batch", status_code=201)
def create_notes(world: InWorld, caller: By, given: Batch) -> NotesTold:
    """All of them are there afterwards, or none."""
    return NotesTold.of(_write(world, caller, given.notes))


@router.post("/notes/forget")
def forget_notes(world: InWorld, caller: By, given: Removal) -> NotesRemoved:
    """What was, or would be, removed, whole: `POST /notes/batch` takes it back in again."""
    held = world.library.store.shelf.notes(given.ids).values()
    found = [note for note in held if caller.sees(note.space)]
    may_write(world, caller, {note.space for note in found})
    removed = 0 if given.dry_run else world.library.store.writer.remove(n.id for n in found)
    return NotesRemoved(notes=[NoteTold.of(note) for note in found], removed=removed)


@router.get("/notes/{note_id}")
def read_note(world: InWorld, caller: By, note_id: Id) -> NoteTold:
    return NoteTold.of(_found(world, caller, note_id))


@router.put("/notes/{note_id}")
def put_note(world: InWorld, caller: By, note_id: Id, given: NoteShape) -> NoteTold:
    """Made, or written anew, under this id."""
    if given.id not in (None, note_id):
        raise BadInput("id", given.id, f"is another id than {note_id!r} in the address")
    [note] = _write(world, caller, [given.model_copy(update={"id": note_id})])
    return NoteTold.of(note)


@router.patch("/notes/{note_id}")
def change_note(world: InWorld, caller: By, note_id: Id, given: NoteChange) -> NoteTold:
    """Only what is named changes."""
    with world.writing:  # or of two changes side by side one would be lost
        before = _found(world, caller, note_id)
        may_write(world, caller, [before.space])
        changes = {name: getattr(given, name) for name in given.model_fields_set}
        if "tags" in changes:
            changes["tags"] = tuple(changes["tags"])
        if "links" in changes:
            changes["links"] = _links(changes["links"])
        note = replace(before, modified_at=world.library.clock.now(), **changes)
        world.library.learn([note])
    world.embedding.wake()
    return NoteTold.of(note)


@router.delete("/notes/{note_id}")
def delete_note(world: InWorld, caller: By, note_id: Id) -> NoteTold:
    """The note as it was, so that it can be put back."""
    note = _found(world, caller, note_id)
    may_write(world, caller, [note.space])
    if not world.library.store.writer.remove([note.id]):
        raise NotFound("note", note_id)
    return NoteTold.of(note)


@router.post("/notes/{note_id}/used")
def use_note(world: InWorld, caller: By, note_id: Id) -> NoteUsed:
    """Counts that the note was really read."""
    note = _found(world, caller, note_id)
    world.library.store.usage.used([note.id], world.library.clock.now())
    return NoteUsed(id=note.id)


@router.get("/notes/{note_id}/neighbours")
def read_neighbours(world: InWorld, caller: By, note_id: Id) -> Neighbours:
    """The notes it links to and those that link to it."""
    note, store = _found(world, caller, note_id), world.library.store
    targets = {link.target: link.kind for link in note.links if link.target != note.id}
    outgoing = [n for n in store.shelf.notes(targets).values() if n.space == note.space]
    incoming = store.shelf.notes(store.listing.linking_to(note.id)).values()
    return Neighbours(
        note=NoteNamed.of(note),
        outgoing=[_neighbour(one, targets[one.id]) for one in outgoing],
        incoming=[_neighbour(one, _kind(one, note.id)) for one in incoming],
    )


def _neighbour(note: Note, kind: str) -> Neighbour:
    return Neighbour(id=note.id, title=note.title, path=note.path, space=note.space, kind=kind)


def _kind(note: Note, target: str) -> str:
    return next((link.kind for link in note.links if link.target == target), "see-also")


def _found(world: World, caller: Caller, note_id: str) -> Note:
    """A note that the caller may not see is not there."""
    note = world.library.store.shelf.notes([note_id]).get(note_id)
    if note is None or not caller.sees(note.space):
        raise NotFound("note", note_id)
    return note


def _write(world: World, caller: Caller, given: list[NoteShape]) -> list[Note]:
    notes = [_made(world, one) for one in given]
    may_write(world, caller, {note.space for note in notes})
    with world.writing:  # or two could take the same id for two spaces
        taken = world.library.store.shelf.notes(note.id for note in notes)
        for note in notes:
            if note.id in taken and taken[note.id].space != note.space:
                raise Conflict(f"the id {note.id!r} is taken by a note of another space")
        world.library.learn(notes)
    world.embedding.wake()
    return notes


def _made(world: World, given: NoteShape) -> Note:
    now = world.library.clock.now()
    created = stamp("created_at", given.created_at, now)
    return Note(
        id=given.id or uuid.uuid4().hex,
        space=given.space,
        text=given.text,
        created_at=created,
        modified_at=stamp("modified_at", given.modified_at or given.created_at, now),
        path=given.path,
        title=given.title,
        summary=given.summary,
        importance=given.importance,
        session=given.session,
        project=given.project,
        tags=tuple(given.tags),
        links=_links(given.links),
    )


def _links(given: list[LinkShape]) -> tuple[Link, ...]:
    return tuple(Link(link.target, link.kind) for link in given)
