"""What answers look like, beside those of a search: said here once, for mypy, for the OpenAPI document
and for whoever reads them."""

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from recollect.model.note import Note
from recollect.model.recollection import Memory

Stamp = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Amount = Annotated[int, Field(ge=0)]


class Told(BaseModel):
    """Nothing is in an answer that is not named here."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Health(Told):
    status: Literal["ok", "ready"]


class LinkTold(Told):
    target: str
    kind: str


class NoteTold(Told):
    """Whole, so that it can be sent back as it is."""

    id: str
    space: str
    path: str
    title: str
    text: str
    summary: str
    importance: Annotated[float, Field(ge=0, le=1)]
    tags: list[str]
    session: str | None
    project: str | None
    links: list[LinkTold]
    created_at: Stamp
    modified_at: Stamp

    @classmethod
    def of(cls, note: Note) -> "NoteTold":
        return cls(
            id=note.id,
            space=note.space,
            path=note.path,
            title=note.title,
            text=note.text,
            summary=note.summary,
            importance=note.importance,
            tags=list(note.tags),
            session=note.session,
            project=note.project,
            links=[LinkTold(target=link.target, kind=link.kind) for link in note.links],
            created_at=note.created_at.isoformat(),
            modified_at=note.modified_at.isoformat(),
        )


class NotesTold(Told):
    notes: list[NoteTold]

    @classmethod
    def of(cls, notes: Iterable[Note]) -> "NotesTold":
        return cls(notes=[NoteTold.of(note) for note in notes])


class NotesPage(NotesTold):
    more: bool
    """Whether there is another page."""


class EpisodesPage(Told):
    episodes: list[NoteTold]
    more: bool


class NotesRemoved(NotesTold):
    removed: Amount


class NoteUsed(Told):
    id: str


class NoteNamed(Told):
    id: str
    title: str
    path: str
    space: str

    @classmethod
    def of(cls, note: Note) -> "NoteNamed":
        return cls(id=note.id, title=note.title, path=note.path, space=note.space)


class Neighbour(NoteNamed):
    kind: str
    """Of the link: embed, link, see-also, supersedes, or what it was given."""


class Neighbours(Told):
    note: NoteNamed
    outgoing: list[Neighbour]
    incoming: list[Neighbour]


class SpacesTold(Told):
    spaces: list[str]


class SessionTold(Told):
    id: str
    space: str
    title: str
    project: str | None


class SessionsPage(Told):
    sessions: list[SessionTold]
    more: bool


class SessionRemoved(SessionTold):
    episodes_removed: Amount


class ProjectTold(Told):
    id: str
    space: str
    title: str


class ProjectsPage(Told):
    projects: list[ProjectTold]
    more: bool


class MemoryTold(Told):
    id: str
    text: str
    created_at: Stamp
    importance: float
    score: float
    why: list[str]

    @classmethod
    def of(cls, memory: Memory) -> "MemoryTold":
        return cls(
            id=memory.id,
            text=memory.text,
            created_at=memory.created_at.isoformat(),
            importance=memory.importance,
            score=memory.score,
            why=list(memory.why),
        )


class Recollected(Told):
    skipped: bool
    """Whether the prompt stays on the topic just answered."""
    likeness: float | None
    """Of this prompt and the last one."""
    memories: list[MemoryTold]
    news: list[str]
    """The ids of those that this session was not told before."""
