"""Sessions: opened, listed, renamed, moved between projects, removed."""

import uuid
from collections.abc import Mapping
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Response

from recollect.faces.http.places import CHAT
from recollect.faces.http.shapes import Body, CountRead, Id, InSpace, Name, OfSpace, SkipRead, Title
from recollect.faces.http.titles import entitle, titles
from recollect.faces.http.told import SessionRemoved, SessionsPage, SessionTold
from recollect.faces.http.weights import Place, forget_settings
from recollect.faces.http.world import By, InWorld, World, may_see, may_write
from recollect.model.errors import NotFound
from recollect.model.note import Session
from recollect.model.query import Scope

router = APIRouter(tags=["sessions"])


class SessionShape(Body):
    id: Id | None = None
    space: Name = CHAT
    title: Title = ""
    project: Name | None = None


class SessionChange(Body):
    """A title renames, a project moves; null takes the session out of its project."""

    title: Title | None = None
    project: Name | None = None


class SessionsWanted(OfSpace):
    project: Name | None = None
    limit: CountRead = 50
    offset: SkipRead = 0


@router.post("/sessions", status_code=201)
def create_session(
    world: InWorld, caller: By, given: SessionShape, response: Response
) -> SessionTold:
    """A session that is there already stays as it is."""
    may_write(world, caller, [given.space])
    store, name = world.library.store, given.id or uuid.uuid4().hex
    store.sessions.open_session(given.space, name, given.project)
    if given.title:
        entitle(store.settings, "sessions", given.space, name, given.title)
    response.headers["Location"] = f"/sessions/{quote(name)}?space={quote(given.space)}"
    return _session(world, given.space, name)


@router.get("/sessions")
def read_sessions(
    world: InWorld, caller: By, given: Annotated[SessionsWanted, Query()]
) -> SessionsPage:
    may_see(caller, [given.space])
    store = world.library.store
    found = store.roster.list_sessions(given.space, given.limit + 1, given.offset, given.project)
    called = titles(store.settings, "sessions", given.space)
    shown = [_told(session, called) for session in found[: given.limit]]
    return SessionsPage(sessions=shown, more=len(found) > given.limit)


@router.get("/sessions/{session}")
def read_session(world: InWorld, caller: By, session: Id, given: InSpace) -> SessionTold:
    may_see(caller, [given.space])
    return _session(world, given.space, session)


@router.patch("/sessions/{session}")
def change_session(
    world: InWorld, caller: By, session: Id, given: InSpace, changes: SessionChange
) -> SessionTold:
    """Moving a session moves what may be seen from it, and of it, at once."""
    may_write(world, caller, [given.space])
    store = world.library.store
    _session(world, given.space, session)
    if "project" in changes.model_fields_set:
        store.sessions.move_session(given.space, session, changes.project)
    if "title" in changes.model_fields_set:
        entitle(store.settings, "sessions", given.space, session, changes.title or None)
    return _session(world, given.space, session)


@router.delete("/sessions/{session}")
def delete_session(world: InWorld, caller: By, session: Id, given: InSpace) -> SessionRemoved:
    """With its episodes and its settings; how many episodes there were."""
    may_write(world, caller, [given.space])
    store = world.library.store
    gone = _session(world, given.space, session)
    own = store.listing.ids_in(Scope.of(given.space, sessions=[session]))
    removed = store.writer.remove(own)
    store.roster.drop_session(given.space, session)
    entitle(store.settings, "sessions", given.space, session, None)
    forget_settings(Place(given.space, session=session), store.settings)
    return SessionRemoved(**gone.model_dump(), episodes_removed=removed)


def _session(world: World, space: str, name: str) -> SessionTold:
    found = world.library.store.roster.session(space, name)
    if found is None:
        raise NotFound("session", name)
    return _told(found, titles(world.library.store.settings, "sessions", space))


def _told(session: Session, called: Mapping[str, str]) -> SessionTold:
    return SessionTold(
        id=session.id,
        space=session.space,
        title=called.get(session.id, ""),
        project=session.project,
    )
