"""`POST /search`, and the same candidates settled again under other weights or another fusion."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from fastapi import Query as Parameter
from pydantic import Field

from recollect.engine.held import fused_by
from recollect.faces.http.answers import ANSWERED
from recollect.faces.http.places import CHAT
from recollect.faces.http.shapes import (
    MAX_LIST,
    Body,
    Count,
    CountRead,
    Moment,
    Name,
    Parameters,
    Weight,
    within,
)
from recollect.faces.http.tokens import Caller
from recollect.faces.http.weights import Place, Resolved, resolved
from recollect.faces.http.world import By, InWorld, World, may_see, spaces_seen
from recollect.faces.moments import moment_of
from recollect.model.answer import Answer
from recollect.model.errors import BadInput
from recollect.model.query import MAX_QUERY_CHARACTERS, Mode, Query, Scope, SortBy
from recollect.recipes.recipe import AnyFusion, Recipe
from recollect.recipes.shelf import recipe_named
from recollect.recipes.toml import read_fusion

router = APIRouter(tags=["search"])

Names = Annotated[list[Name], Field(max_length=MAX_LIST)]
Weights = Annotated[dict[Name, Weight], Field(max_length=20)]


class ScopeShape(Body):
    """What may be seen; what is left out narrows nothing."""

    spaces: Annotated[list[Name], Field(min_length=1, max_length=MAX_LIST)] | None = None
    sessions: Names | None = None
    projects: Names | None = None
    tags: Names = Field(default_factory=list)
    since: Moment | None = None
    before: Moment | None = None
    excluded: Names = Field(default_factory=list)


class FusionShape(Body):
    """A method, with the numbers that are its own."""

    method: Literal["rrf", "convex", "distribution", "weighted"]
    k: Annotated[float, Field(ge=0, le=10_000), within("k", 0, 10_000)] | None = None
    ranks: Literal["position", "dense"] | None = None
    alpha: Annotated[float, Field(ge=0, le=1), within("alpha", 0, 1)] | None = None
    deviations: Annotated[float, Field(ge=0.1, le=10), within("deviations", 0.1, 10)] | None = None

    def fusion(self) -> AnyFusion:
        return read_fusion(self.model_dump(exclude_none=True))


class SearchShape(Body):
    query: Annotated[str, Field(min_length=1, max_length=MAX_QUERY_CHARACTERS)]
    recipe: Name | None = None
    limit: Count | None = None
    mode: Mode = "auto"
    sort_by: SortBy = "relevance"
    scope: ScopeShape = ScopeShape()
    session: Name | None = None
    """The session in which it is asked: seen are all sessions of its project, else itself (R4.5)."""
    space: Name = CHAT
    """The space of that session."""
    weights: Weights = Field(default_factory=dict)
    fusion: FusionShape | None = None
    floor: Annotated[float, Field(ge=0, le=1), within("floor", 0, 1)] | None = None
    deadline_ms: (
        Annotated[float, Field(ge=1, le=600_000), within("deadline_ms", 1, 600_000)] | None
    ) = None
    skip_retry_ladder: bool = False
    explain: bool = False
    """Also tell where each weight was set, and keep the candidates under a `search_id`."""


class SettleShape(Body):
    weights: Weights = Field(default_factory=dict)
    fusion: FusionShape | None = None


class EpisodesWanted(Parameters):
    q: Annotated[str, Field(min_length=1, max_length=10_000)]
    sessionIds: Annotated[str, Field(max_length=100_000)] | None = None  # noqa: N815 - seed 004
    limit: CountRead = 10
    mode: Mode = "bm25"
    space: Name = CHAT


@dataclass(frozen=True, slots=True)
class Asked:
    """A request made ready for the engine."""

    query: Query
    recipe: Recipe
    settings: Resolved


@router.post("/search", responses=ANSWERED)
def search(world: InWorld, caller: By, given: SearchShape) -> dict[str, Any]:
    asked = _asked(world, caller, given)
    if not given.explain:
        return _told(world, world.library.answer(asked.query, asked.recipe))
    answer, held = world.library.answer_and_hold(asked.query, asked.recipe)
    search_id = world.keeping.keep(caller.name, held)
    return _told(world, answer) | {"settings": asked.settings.told(), "search_id": search_id}


@router.post("/search/{search_id}/settle", responses=ANSWERED)
def settle_search(
    world: InWorld, caller: By, search_id: Name, given: SettleShape
) -> dict[str, Any]:
    """The candidates of an explained search in the order other weights or another fusion give."""
    held = world.keeping.get(caller.name, search_id)
    may_see(caller, held.query.scope.spaces)
    fusion = None if given.fusion is None else given.fusion.fusion()
    answer, after = world.library.settle(held, given.weights, fusion)
    if after is not held:
        world.keeping.keep(caller.name, after, search_id)
    return answer.as_dict() | {"search_id": search_id, "gathered_again": after is not held}


@router.get("/episodes/search", responses=ANSWERED)
def search_episodes(
    world: InWorld, caller: By, given: Annotated[EpisodesWanted, Parameter()]
) -> dict[str, Any]:
    """Episodes by their words (seed 004); another mode searches by the live weights."""
    may_see(caller, [given.space])
    sessions = None
    if given.sessionIds is not None:
        sessions = [one.strip() for one in given.sessionIds.split(",") if one.strip()]
        if not sessions:
            raise BadInput("sessionIds", given.sessionIds, "names no session; write 1,2,3")
    recipe = recipe_named("chat")
    own = {"words": 1.0} if given.mode == "bm25" else {}
    library = world.library
    found = resolved(recipe, Place(given.space), own, library.store, library.ports())
    query = Query(
        given.q,
        Scope.of(given.space, sessions=sessions),
        library.clock.now(),
        limit=given.limit,
        mode=given.mode,
        weights=found.weights,
    )
    return _told(world, library.answer(query, recipe))


def _told(world: World, answer: Answer) -> dict[str, Any]:
    world.metrics.answer(answer)
    return answer.as_dict()


def _asked(world: World, caller: Caller, given: SearchShape) -> Asked:
    library = world.library
    scope = _scope(world, caller, given)
    recipe = _recipe(world, given, scope)
    if given.fusion is not None:
        recipe = fused_by(recipe, given.fusion.fusion())
    place = Place(given.space, session=given.session, project=_project(given))
    settings = resolved(recipe, place, given.weights, library.store, library.ports())
    query = Query(
        given.query,
        scope,
        library.clock.now(),
        limit=given.limit,
        mode=given.mode,
        sort_by=given.sort_by,
        weights=settings.weights,
        deadline_ms=given.deadline_ms,
        skip_retry_ladder=given.skip_retry_ladder,
        floor=given.floor,
    )
    return Asked(query, recipe, settings)


def _recipe(world: World, given: SearchShape, scope: Scope) -> Recipe:
    """The one that was named; in a session the recipe of chats; else the one that fits the scope."""
    if given.recipe is not None:
        return recipe_named(given.recipe)
    return recipe_named("chat") if given.session else world.library.recipe_for(scope)


def _project(given: SearchShape) -> str | None:
    """A search that names one project is asked in it."""
    projects = given.scope.projects or ()
    return projects[0] if len(projects) == 1 else None


def _scope(world: World, caller: Caller, given: SearchShape) -> Scope:
    now, narrowed = world.library.clock.now(), given.scope
    sessions = narrowed.sessions
    if given.session is not None:
        if narrowed.spaces or sessions is not None:
            raise BadInput("session", given.session, "and a scope of sessions or spaces; name one")
        sessions = sorted(world.library.store.sessions.sessions_around(given.space, given.session))
    spaces = spaces_seen(world, caller, [given.space] if given.session else narrowed.spaces)
    return Scope.of(
        *spaces,
        sessions=sessions,
        projects=narrowed.projects,
        tags=narrowed.tags,
        since=moment_of("scope.since", narrowed.since, now),
        before=moment_of("scope.before", narrowed.before, now),
        excluded=narrowed.excluded,
    )
