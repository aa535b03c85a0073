"""`POST /recollect`: a prompt in, the memories that belong to it out, each handed over once (seed 000)."""

import json
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from recollect.engine.recollect import SAME_TOPIC, Gate
from recollect.faces.http.places import MEMORY
from recollect.faces.http.search import Names
from recollect.faces.http.shapes import Body, Name, within
from recollect.faces.http.told import MemoryTold, Recollected
from recollect.faces.http.world import By, InWorld, may_see
from recollect.model.query import MAX_QUERY_CHARACTERS, Scope

router = APIRouter(tags=["recollect"])


class Prompt(Body):
    prompt: Annotated[str, Field(min_length=1, max_length=MAX_QUERY_CHARACTERS)]
    session: Name
    spaces: Annotated[Names, Field(min_length=1)] = [MEMORY]  # noqa: RUF012
    projects: Names | None = None
    """Only memories of these; else of all."""
    threshold: Annotated[float, Field(ge=-1, le=1), within("threshold", -1, 1)] = SAME_TOPIC
    """How like the last prompt this one must be to be skipped."""
    force: bool = False


@router.post("/recollect")
def recollect_prompt(world: InWorld, caller: By, given: Prompt) -> Recollected:
    """Nothing is written where the prompt cannot be embedded, or stays on the topic."""
    may_see(caller, given.spaces)
    done = world.library.recollect(
        given.prompt,
        # who asks is part of the name: no caller reads or moves another one's session
        session=json.dumps([caller.name, given.session]),
        scope=Scope.of(*given.spaces, projects=given.projects),
        gate=Gate(given.threshold, forced=given.force),
    )
    told = done.recollection
    fresh = () if told is None else told.fresh()
    return Recollected(
        skipped=done.skipped,
        likeness=done.likeness,
        memories=[MemoryTold.of(one) for one in (told.memories if told else ())],
        news=[one.id for one in fresh],
    )
