"""`GET /filters`: what a search can be narrowed to, of what the caller may see."""

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Query

from recollect.faces.http.projects import project_titles
from recollect.faces.http.shapes import CountRead, Name, Parameters
from recollect.faces.http.titles import titles
from recollect.faces.http.told import Amount, Told
from recollect.faces.http.world import By, InWorld, World, spaces_seen
from recollect.model.inventory import LabelKind
from recollect.model.query import Scope

router = APIRouter(tags=["search"])


class FiltersWanted(Parameters):
    space: Name | None = None
    limit: CountRead = 200
    """Of each kind, the most common first."""


class Choice(Told):
    name: str
    """What a scope calls it."""
    title: str
    """What people call it; empty where it has no other name."""
    space: str
    notes: Amount


class Filters(Told):
    tags: list[Choice]
    sessions: list[Choice]
    projects: list[Choice]


@router.get("/filters")
def read_filters(world: InWorld, caller: By, given: Annotated[FiltersWanted, Query()]) -> Filters:
    """The tags, sessions and projects of the notes the caller may see, space by space."""
    spaces = spaces_seen(world, caller, [given.space] if given.space else None)

    def found(kind: LabelKind) -> list[Choice]:
        all_of = (one for space in spaces for one in _choices(world, kind, space, given.limit))
        return sorted(all_of, key=lambda one: (-one.notes, one.name, one.space))[: given.limit]

    return Filters(tags=found("tag"), sessions=found("session"), projects=found("project"))


def _choices(world: World, kind: LabelKind, space: str, count: int) -> Iterator[Choice]:
    called = _titles(world, kind, space)
    for label in world.library.store.listing.labels_in(kind, Scope.of(space), count):
        title = called.get(label.name, "")
        yield Choice(name=label.name, title=title, space=space, notes=label.notes)


def _titles(world: World, kind: LabelKind, space: str) -> dict[str, str]:
    if kind == "session":
        return dict(titles(world.library.store.settings, "sessions", space))
    return project_titles(world, space) if kind == "project" else {}
