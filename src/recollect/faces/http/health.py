"""Whether the service lives, whether it can answer, what it holds and how fast it is."""

from dataclasses import asdict

from fastapi import APIRouter, Depends
from starlette.responses import PlainTextResponse

from recollect.faces.http.told import Health
from recollect.faces.http.told_status import (
    FindingsTold,
    FindingTold,
    RecipesTold,
    RecipeTold,
    StatusTold,
)
from recollect.faces.http.world import By, InWorld, World, caller_of, may_see_all
from recollect.recipes.recipe import Recipe
from recollect.recipes.shelf import KNOWN

alive = APIRouter(tags=["health"])
router = APIRouter(tags=["health"])


@alive.get("/healthz")
def healthz() -> Health:
    """The process answers."""
    return Health(status="ok")


@alive.get("/readyz")
def readyz(world: InWorld) -> Health:
    """The store can be read; 503 while it cannot."""
    world.library.spaces()
    return Health(status="ready")


@router.get("/metrics", response_class=PlainTextResponse)
def metrics(world: InWorld, caller: By) -> PlainTextResponse:
    """In Prometheus' text format. What takes long to count is counted a twentieth of the time at most."""
    may_see_all(caller)
    held = world.counts()
    gauges = {
        "notes": held.notes,
        "passages": held.passages,
        "passages_waiting": world.library.waiting(),
        "links_resolved": held.links_resolved,
        "store_bytes": held.store_bytes,
        "index_bytes": held.index_bytes,
    }
    text = world.metrics.text(gauges)
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4; charset=utf-8")


@router.get("/status")
def status(world: InWorld, caller: By) -> StatusTold:
    """Counts, the model that serves, what waits, latency, and what is degraded and why."""
    may_see_all(caller)
    library = world.library
    return StatusTold(
        **asdict(library.store.catalogue.counts()),
        serving=library.embedder.identity if library.embedder else None,
        weak=bool(library.embedder and library.embedder.weak),
        successor=library.successor.identity if library.successor else None,
        waiting=library.waiting(),
        folders=dict(library.vaults()),
        embedding_failure=world.embedding.failure or None,
        service=world.metrics.summary(),
    )


@router.get("/status/findings")
def read_findings(world: InWorld, caller: By) -> FindingsTold:
    """The store and its indexes examined: what is sound, what is not, and the way out. Reads the
    whole store, so it takes longer the larger that is; changes nothing."""
    may_see_all(caller)
    found = world.library.place.upkeep.examine()
    return FindingsTold(findings=[FindingTold(**asdict(one)) for one in found])


@router.get("/recipes", dependencies=[Depends(caller_of)])
def recipes(world: InWorld) -> RecipesTold:
    """Every recipe with its legs and fusion as they are used with the model that serves."""
    return RecipesTold(recipes=[_recipe(world, recipe) for recipe in KNOWN.values()])


def _recipe(world: World, recipe: Recipe) -> RecipeTold:
    weak = world.library.embedder is not None and world.library.embedder.weak
    used = recipe.leaning_on_words() if weak else recipe
    return RecipeTold(
        name=recipe.name,
        about=recipe.about,
        legs={leg.name: leg.weight for leg in used.legs},
        fusion={"method": used.fusion.method} | asdict(used.fusion),
        adjustments=[own.name for own in used.adjustments],
        limit=recipe.limit,
    )
