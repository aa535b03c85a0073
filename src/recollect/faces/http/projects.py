"""Projects: made, listed, renamed, removed. A project is there once it was made or something is in it."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Query

from recollect.faces.http.places import CHAT
from recollect.faces.http.shapes import Body, CountRead, Id, InSpace, Name, OfSpace, SkipRead, Title
from recollect.faces.http.titles import entitle, titles
from recollect.faces.http.told import ProjectsPage, ProjectTold
from recollect.faces.http.weights import Place, forget_settings
from recollect.faces.http.world import By, InWorld, World, may_see, may_write
from recollect.model.errors import NotFound
from recollect.model.query import MAX_LIMIT, Scope

router = APIRouter(tags=["projects"])


class ProjectShape(Body):
    id: Id | None = None
    space: Name = CHAT
    title: Title = ""


class ProjectChange(Body):
    title: Title


class ProjectsWanted(OfSpace):
    limit: CountRead = 50
    offset: SkipRead = 0


@router.post("/projects", status_code=201)
def create_project(world: InWorld, caller: By, given: ProjectShape) -> ProjectTold:
    """One that is there already is given this title."""
    may_write(world, caller, [given.space])
    name = given.id or uuid.uuid4().hex
    entitle(world.library.store.settings, "projects", given.space, name, given.title)
    return _project(world, given.space, name)


@router.get("/projects")
def read_projects(
    world: InWorld, caller: By, given: Annotated[ProjectsWanted, Query()]
) -> ProjectsPage:
    may_see(caller, [given.space])
    known = project_titles(world, given.space)
    names = sorted(known)[given.offset : given.offset + given.limit + 1]
    shown = [ProjectTold(id=name, space=given.space, title=known[name]) for name in names]
    return ProjectsPage(projects=shown[: given.limit], more=len(names) > given.limit)


@router.get("/projects/{project}")
def read_project(world: InWorld, caller: By, project: Id, given: InSpace) -> ProjectTold:
    may_see(caller, [given.space])
    return _project(world, given.space, project)


@router.patch("/projects/{project}")
def change_project(
    world: InWorld, caller: By, project: Id, given: InSpace, changes: ProjectChange
) -> ProjectTold:
    may_write(world, caller, [given.space])
    _project(world, given.space, project)
    entitle(world.library.store.settings, "projects", given.space, project, changes.title)
    return _project(world, given.space, project)


@router.delete("/projects/{project}")
def delete_project(world: InWorld, caller: By, project: Id, given: InSpace) -> ProjectTold:
    """Its sessions stay, each on its own."""
    may_write(world, caller, [given.space])
    store = world.library.store
    gone = _project(world, given.space, project)
    while inside := store.roster.list_sessions(given.space, MAX_LIMIT, project=project):
        for session in inside:
            store.sessions.move_session(given.space, session.id, None)
    entitle(store.settings, "projects", given.space, project, None)
    forget_settings(Place(given.space, project=project), store.settings)
    return gone


def project_titles(world: World, space: str) -> dict[str, str]:
    """Those that were made, and those that some session is in."""
    store = world.library.store
    unnamed = dict.fromkeys(store.roster.list_projects(space), "")
    return unnamed | dict(titles(store.settings, "projects", space))


def is_project(world: World, space: str, name: str) -> bool:
    if name in project_titles(world, space):
        return True
    return bool(world.library.store.listing.notes_in(Scope.of(space, projects=[name]), 1))


def _project(world: World, space: str, name: str) -> ProjectTold:
    known = project_titles(world, space)
    if name not in known:
        raise NotFound("project", name)
    return ProjectTold(id=name, space=space, title=known[name])
