"""`GET` and `PATCH /settings`: weights that hold from the next request on (R4.1, R4.2)."""

from typing import Annotated

from fastapi import APIRouter, Query

from recollect.faces.http.answers import SettingShape
from recollect.faces.http.places import CHAT
from recollect.faces.http.projects import is_project
from recollect.faces.http.shapes import Body, Name, Parameters, Weight
from recollect.faces.http.tokens import Caller
from recollect.faces.http.weights import Place, Resolved, change, resolved
from recollect.faces.http.world import By, InWorld, World, may_see, may_see_all
from recollect.model.errors import BadInput, NotFound
from recollect.recipes.recipe import Recipe
from recollect.recipes.shelf import recipe_named

router = APIRouter(tags=["settings"])


class SettingsPlace(Parameters):
    """Whose settings: of the recipe as a whole unless a session or a project is named."""

    recipe: Name = "chat"
    space: Name = CHAT
    session: Name | None = None
    project: Name | None = None


class SettingsChange(Body):
    """What a setting is changed to; null takes it away again. One recipe has not all of them."""

    semanticWeight: Weight | None = None  # noqa: N815 - seed 004 spells it so
    keywordWeight: Weight | None = None  # noqa: N815
    linksWeight: Weight | None = None  # noqa: N815
    createdWeight: Weight | None = None  # noqa: N815
    accessWeight: Weight | None = None  # noqa: N815
    usefulnessWeight: Weight | None = None  # noqa: N815


In = Annotated[SettingsPlace, Query()]


@router.get("/settings")
def read_settings(world: InWorld, caller: By, where: In) -> dict[str, Weight]:
    return _resolved(world, *_checked(world, caller, where)).flat()


@router.get("/settings/sources")
def read_sources(world: InWorld, caller: By, where: In) -> dict[str, SettingShape]:
    """The same, and for each whether it was set for the session, the project, the recipe or not."""
    found = _resolved(world, *_checked(world, caller, where)).sources
    return {name: SettingShape(value=v, source=source) for name, (v, source) in found.items()}


@router.patch("/settings")
def change_settings(
    world: InWorld, caller: By, where: In, changes: SettingsChange
) -> dict[str, Weight]:
    recipe, place = _checked(world, caller, where)
    if place.session is None and place.project is None:
        may_see_all(caller)
    change(recipe, place, changes.model_dump(exclude_unset=True), world.library.store)
    return _resolved(world, recipe, place).flat()


def _checked(world: World, caller: Caller, where: SettingsPlace) -> tuple[Recipe, Place]:
    may_see(caller, [where.space] if where.session or where.project else [])
    if where.session and where.project:
        raise BadInput("project", where.project, "and a session are named; name one of them")
    if where.session and world.library.store.roster.session(where.space, where.session) is None:
        raise NotFound("session", where.session)
    if where.project and not is_project(world, where.space, where.project):
        raise NotFound("project", where.project)
    return recipe_named(where.recipe), Place(where.space, where.session, where.project)


def _resolved(world: World, recipe: Recipe, place: Place) -> Resolved:
    return resolved(recipe, place, {}, world.library.store, world.library.ports())
