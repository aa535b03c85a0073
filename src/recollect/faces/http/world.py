"""What every request may reach: the library, the embedding thread, kept searches, measurements."""

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, Final

from fastapi import Depends, Request

from recollect.faces.http.embedding import Embedding
from recollect.faces.http.keeping import Keeping
from recollect.faces.http.metrics import Metrics
from recollect.faces.http.pacing import Paced
from recollect.faces.http.places import MEMORY
from recollect.faces.http.problems import Conflict, Refused
from recollect.faces.http.tokens import ANYONE, Caller, caller_with, tokens
from recollect.model.inventory import Counts
from recollect.open import Library

BEARER: Final = "bearer "


@dataclass(frozen=True, slots=True)
class World:
    library: Library
    embedding: Embedding
    keeping: Keeping
    metrics: Metrics
    counts: Paced[Counts]
    guarded: bool = False
    """Whether a token is needed even while none has been made."""
    writing: threading.Lock = field(default_factory=threading.Lock)
    """Held by whoever reads a note in order to write it."""


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
    hidden = sorted(space for space in set(spaces) if not caller.sees(space))
    if hidden:
        raise Refused(403, f"this token may not see {', '.join(hidden)}")


def spaces_seen(world: World, caller: Caller, wanted: Iterable[str] | None) -> list[str]:
    """Those that are wanted, if the caller may see them; else all that the caller may see."""
    if wanted is not None:
        spaces = list(wanted)
        may_see(caller, spaces)
        return spaces
    seen = world.library.spaces() if caller.spaces is None else sorted(caller.spaces)
    return list(seen) or [MEMORY]


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
