"""`POST /recollect`: a prompt in, the memories that belong to it out, each handed over once (seed 000)."""

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field

from recollect.engine.recollect import SAME_TOPIC, Gate
from recollect.faces.http.search import Names
from recollect.faces.http.shapes import Body, Name
from recollect.faces.http.world import MEMORY, By, InWorld, may_see
from recollect.model.query import MAX_QUERY_CHARACTERS, Scope
from recollect.model.recollection import Memory

router = APIRouter(tags=["recollect"])


class Prompt(Body):
    prompt: Annotated[str, Field(min_length=1, max_length=MAX_QUERY_CHARACTERS)]
    session: Name
    spaces: Annotated[Names, Field(min_length=1)] = [MEMORY]  # noqa: RUF012
    threshold: Annotated[float, Field(ge=-1, le=1)] = SAME_TOPIC
    """How like the last prompt this one must be to be skipped."""
    force: bool = False


@router.post("/recollect")
def recollect_prompt(world: InWorld, caller: By, given: Prompt) -> dict[str, Any]:
    """Nothing is written where the prompt cannot be embedded, or stays on the topic."""
    may_see(caller, given.spaces)
    done = world.library.recollect(
        given.prompt,
        # who asks is part of the name: no caller reads or moves another one's session
        session=f"{caller.name}:{given.session}",
        scope=Scope.of(*given.spaces),
        gate=Gate(given.threshold, forced=given.force),
    )
    told = done.recollection
    fresh = () if told is None else told.fresh()
    return {
        "skipped": done.skipped,
        "likeness": done.likeness,
        "memories": [_shape(one) for one in (told.memories if told else ())],
        "news": [one.id for one in fresh],
    }


def _shape(memory: Memory) -> dict[str, Any]:
    return {
        "id": memory.id,
        "text": memory.text,
        "created_at": memory.created_at.isoformat(),
        "importance": memory.importance,
        "score": memory.score,
        "why": list(memory.why),
    }
