"""What every request may reach: the library, the embedding thread, kept searches, measurements."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Depends, Request

from recollect.faces.http.embedding import Embedding
from recollect.faces.http.keeping import Keeping
from recollect.faces.http.metrics import Metrics
from recollect.faces.http.problems import Conflict, Refused
from recollect.faces.http.tokens import ANYONE, Caller, caller_with, tokens
from recollect.open import Library

MEMORY: Final = "memory"
CHAT: Final = "chat"
BEARER: Final = "bearer "


@dataclass(frozen=True, slots=True)
class World:
    library: Library
    embedding: Embedding
    keeping: Keeping
    metrics: Metrics
    guarded: bool = False
    """Whether a token is needed even while none has been made."""


def world_of(request: Request) -> World:
    world: World = request.app.state.world
    return world


def caller_of(request: Request, world: Annotated[World, Depends(world_of)]) -> Caller:
    """Read for every request: a token that was revoked is worth nothing from then on."""
    settings = world.library.store.settings
    given = request.headers.get("authorization", "")
    if given.lower().startswith(BEARER):
        caller = caller_with(settings, given[len(BEARER) :].strip())
        if caller is None:
            raise Refused(401, "this token is not known; it may have been revoked")
        return caller
    if given or world.guarded or tokens(settings):
        raise Refused(401, "a token is needed: Authorization: Bearer …")
    return ANYONE


InWorld = Annotated[World, Depends(world_of)]
By = Annotated[Caller, Depends(caller_of)]


def may_see(caller: Caller, spaces: Iterable[str]) -> None:
    hidden = sorted(set(spaces) - caller.spaces) if caller.spaces is not None else []
    if hidden:
        raise Refused(403, f"this token may not see {', '.join(hidden)}")


def may_see_all(caller: Caller) -> None:
    if caller.spaces is not None:
        raise Refused(403, "this concerns every space; a token for all of them is needed")


def may_write(world: World, caller: Caller, spaces: Iterable[str]) -> None:
    """A folder's notes are its files: whoever changes the one must change the other."""
    wanted = set(spaces)
    may_see(caller, wanted)
    folders = world.library.vaults()
    for space in sorted(wanted & set(folders)):
        raise Conflict(f"the notes of '{space}' are files in {folders[space]}; change them there")
