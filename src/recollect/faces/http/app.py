"""A library in, the whole service as one ASGI application out."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.responses import FileResponse
from starlette.staticfiles import StaticFiles

from recollect.faces.http import (
    episodes,
    filters,
    health,
    notes,
    projects,
    recollecting,
    search,
    sessions,
    settings,
)
from recollect.faces.http.embedding import Embedding
from recollect.faces.http.guard import BodySize, Deadline, Hosts, Limits, Rate
from recollect.faces.http.keeping import Keeping
from recollect.faces.http.metrics import Metrics
from recollect.faces.http.observe import Observe
from recollect.faces.http.pacing import Paced
from recollect.faces.http.problems import DOCUMENTED, Problem, answer_problems
from recollect.faces.http.world import World
from recollect.open import Library

WEB: Final = Path(__file__).parent / "web"
ROOMS: Final = (
    search,
    filters,
    settings,
    episodes,
    notes,
    sessions,
    projects,
    recollecting,
    health,
)


def make_app(
    library: Library,
    *,
    limits: Limits | None = None,
    hosts: Iterable[str] = (),
    guarded: bool = False,
) -> FastAPI:
    """`guarded`: a token is needed even while none has been made."""
    counts = Paced(library.store.catalogue.counts)
    world = World(library, Embedding(library), Keeping(), Metrics(), counts, guarded)
    app = FastAPI(
        title="Recollect",
        version=version("recollect"),
        docs_url=None,  # its page would load scripts from elsewhere
        redoc_url=None,
        lifespan=_lifespan,
        separate_input_output_schemas=False,
    )
    app.state.world = world
    app.include_router(health.alive, responses=DOCUMENTED)
    for room in ROOMS:
        app.include_router(room.router, responses=DOCUMENTED)
    answer_problems(app)
    _serve_page(app)
    _describe(app)
    _surround(app, world, limits or Limits(), hosts)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    world: World = app.state.world
    world.embedding.start()
    yield
    world.embedding.stop()


def _serve_page(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(WEB / "index.html", headers={"Cache-Control": "no-cache"})

    app.mount("/web", StaticFiles(directory=WEB), name="web")


def _surround(app: FastAPI, world: World, limits: Limits, hosts: Iterable[str]) -> None:
    """The last one added is the first to see a request."""
    app.add_middleware(Deadline, limits=limits)
    app.add_middleware(BodySize, limits=limits)
    app.add_middleware(Rate, limits=limits)
    app.add_middleware(Hosts, allowed=tuple(hosts))
    app.add_middleware(Observe, metrics=world.metrics)


def _describe(app: FastAPI) -> None:
    """The OpenAPI document, with the problems that every answer may be."""

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = get_openapi(title=app.title, version=app.version, routes=app.routes)
            parts = document.setdefault("components", {})
            parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
            document["security"] = [{}, {"token": []}]  # needed as soon as there is one
            schemas = parts.setdefault("schemas", {})
            schemas["Problem"] = Problem.model_json_schema()
            for unused in ("HTTPValidationError", "ValidationError"):
                schemas.pop(unused, None)
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]
