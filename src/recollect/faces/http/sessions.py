"""Sessions and projects: made, listed, renamed, moved, removed."""

import json
import uuid
from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query, Response

from recollect.faces.http.shapes import Body, Count, Id, Name, Parameters, Skip, Title
from recollect.faces.http.weights import Place, owner_of
from recollect.faces.http.world import CHAT, By, InWorld, World, may_see, may_write
from recollect.model.errors import NotFound
from recollect.model.note import Session
from recollect.model.query import MAX_LIMIT, Scope
from recollect.recipes.shelf import KNOWN

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


class ProjectShape(Body):
    id: Id | None = None
    space: Name = CHAT
    title: Title = ""


class ProjectChange(Body):
    title: Title


class In(Parameters):
    space: Name = CHAT


class SessionsWanted(In):
    project: Name | None = None
    limit: Count = 50
    offset: Skip = 0


class ProjectsWanted(In):
    limit: Count = 50
    offset: Skip = 0


InSpace = Annotated[In, Query()]


@router.post("/sessions", status_code=201)
def create_session(
    world: InWorld, caller: By, given: SessionShape, response: Response
) -> dict[str, Any]:
    """A session that is there already stays as it is."""
    may_write(world, caller, [given.space])
    store, name = world.library.store, given.id or uuid.uuid4().hex
    store.sessions.open_session(given.space, name, given.project)
    if given.title:
        store.settings.change_settings(_titles("sessions", given.space), {name: given.title})
    response.headers["Location"] = f"/sessions/{quote(name)}?space={quote(given.space)}"
    return _session(world, given.space, name)


@router.get("/sessions")
def read_sessions(
    world: InWorld, caller: By, given: Annotated[SessionsWanted, Query()]
) -> dict[str, Any]:
    may_see(caller, [given.space])
    store = world.library.store
    found = store.roster.list_sessions(given.space, given.limit + 1, given.offset, given.project)
    titles = store.settings.settings(_titles("sessions", given.space))
    shown = [_shape(session, titles) for session in found[: given.limit]]
    return {"sessions": shown, "more": len(found) > given.limit}


@router.get("/sessions/{session}")
def read_session(world: InWorld, caller: By, session: Id, given: InSpace) -> dict[str, Any]:
    may_see(caller, [given.space])
    return _session(world, given.space, session)


@router.patch("/sessions/{session}")
def change_session(
    world: InWorld, caller: By, session: Id, given: InSpace, changes: SessionChange
) -> dict[str, Any]:
    """Moving a session moves what may be seen from it, and of it, at once."""
    may_write(world, caller, [given.space])
    store = world.library.store
    _session(world, given.space, session)
    if "project" in changes.model_fields_set:
        store.sessions.move_session(given.space, session, changes.project)
    if "title" in changes.model_fields_set:
        title = changes.title or None
        store.settings.change_settings(_titles("sessions", given.space), {session: title})
    return _session(world, given.space, session)


@router.delete("/sessions/{session}")
def delete_session(world: InWorld, caller: By, session: Id, given: InSpace) -> dict[str, Any]:
    """With its episodes and its settings; how many episodes there were."""
    may_write(world, caller, [given.space])
    store = world.library.store
    shape = _session(world, given.space, session)
    own = world.library.store.listing.ids_in(Scope.of(given.space, sessions=[session]))
    removed = store.writer.remove(own)
    store.roster.drop_session(given.space, session)
    store.settings.change_settings(_titles("sessions", given.space), {session: None})
    _forget_settings(world, Place(given.space, session=session))
    return shape | {"episodes_removed": removed}


@router.post("/projects", status_code=201)
def create_project(world: InWorld, caller: By, given: ProjectShape) -> dict[str, Any]:
    may_write(world, caller, [given.space])
    name = given.id or uuid.uuid4().hex
    owner = _titles("projects", given.space)
    world.library.store.settings.change_settings(owner, {name: given.title})
    return _project(world, given.space, name)


@router.get("/projects")
def read_projects(
    world: InWorld, caller: By, given: Annotated[ProjectsWanted, Query()]
) -> dict[str, Any]:
    may_see(caller, [given.space])
    titles = _project_titles(world, given.space)
    names = sorted(titles)[given.offset : given.offset + given.limit + 1]
    shown = [{"id": name, "space": given.space, "title": titles[name]} for name in names]
    return {"projects": shown[: given.limit], "more": len(names) > given.limit}


@router.get("/projects/{project}")
def read_project(world: InWorld, caller: By, project: Id, given: InSpace) -> dict[str, Any]:
    may_see(caller, [given.space])
    return _project(world, given.space, project)


@router.patch("/projects/{project}")
def change_project(
    world: InWorld, caller: By, project: Id, given: InSpace, changes: ProjectChange
) -> dict[str, Any]:
    may_write(world, caller, [given.space])
    _project(world, given.space, project)
    owner = _titles("projects", given.space)
    world.library.store.settings.change_settings(owner, {project: changes.title})
    return _project(world, given.space, project)


@router.delete("/projects/{project}")
def delete_project(world: InWorld, caller: By, project: Id, given: InSpace) -> dict[str, Any]:
    """Its sessions stay, each on its own."""
    may_write(world, caller, [given.space])
    store = world.library.store
    shape = _project(world, given.space, project)
    while inside := store.roster.list_sessions(given.space, MAX_LIMIT, project=project):
        for session in inside:
            store.sessions.move_session(given.space, session.id, None)
    store.settings.change_settings(_titles("projects", given.space), {project: None})
    _forget_settings(world, Place(given.space, project=project))
    return shape


def _titles(of: str, space: str) -> str:
    return json.dumps([of, space])


def _session(world: World, space: str, name: str) -> dict[str, Any]:
    found = world.library.store.roster.session(space, name)
    if found is None:
        raise NotFound("session", name)
    return _shape(found, world.library.store.settings.settings(_titles("sessions", space)))


def _shape(session: Session, titles: Mapping[str, Any]) -> dict[str, Any]:
    own = {"id": session.id, "space": session.space, "title": titles.get(session.id, "")}
    return own | {"project": session.project}


def _project(world: World, space: str, name: str) -> dict[str, Any]:
    titles = _project_titles(world, space)
    if name not in titles:
        raise NotFound("project", name)
    return {"id": name, "space": space, "title": titles[name]}


def _project_titles(world: World, space: str) -> dict[str, str]:
    """Those that were made, and those that some session is in."""
    store = world.library.store
    unnamed = dict.fromkeys(store.roster.list_projects(space), "")
    return unnamed | dict(store.settings.settings(_titles("projects", space)))


def _forget_settings(world: World, place: Place) -> None:
    settings = world.library.store.settings
    for recipe in KNOWN:
        owner = owner_of(recipe, place)
        settings.change_settings(owner, dict.fromkeys(settings.settings(owner)))
