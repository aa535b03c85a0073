"""Episodes: the rounds of a conversation, found by words at once and by meaning soon after."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Query

from recollect.faces.http.places import CHAT
from recollect.faces.http.problems import Conflict
from recollect.faces.http.shapes import (
    Body,
    CountRead,
    Id,
    Moment,
    Name,
    Parameters,
    SkipRead,
    Text,
    stamp,
)
from recollect.faces.http.told import EpisodesPage, NoteTold
from recollect.faces.http.world import By, InWorld, may_see, may_write
from recollect.model.note import Note
from recollect.model.query import Scope

router = APIRouter(tags=["episodes"])


class Round(Body):
    """What the user said and what was answered, kept together as one episode."""

    session: Name
    user: Text
    assistant: Text | None = None
    id: Id | None = None
    space: Name = CHAT
    project: Name | None = None
    """The project of the session, where the session is new."""
    created_at: Moment | None = None


class EpisodesListed(Parameters):
    session: Name
    space: Name = CHAT
    limit: CountRead = 50
    offset: SkipRead = 0


@router.post("/episodes", status_code=201)
def append_episode(world: InWorld, caller: By, given: Round) -> NoteTold:
    may_write(world, caller, [given.space])
    library = world.library
    at = stamp("created_at", given.created_at, library.clock.now())
    episode = Note(
        id=given.id or uuid.uuid4().hex,
        space=given.space,
        text="\n\n".join(said for said in (given.user, given.assistant) if said),
        created_at=at,
        modified_at=at,
        session=given.session,
    )
    with world.writing:  # or two could take the same id
        if given.id is not None and library.store.shelf.notes([given.id]):
            raise Conflict(f"the id {given.id!r} is taken; an episode is added once, never changed")
        library.store.sessions.open_session(given.space, given.session, given.project)
        library.learn([episode])
    world.embedding.wake()
    return NoteTold.of(episode)


@router.get("/episodes")
def read_episodes(
    world: InWorld, caller: By, given: Annotated[EpisodesListed, Query()]
) -> EpisodesPage:
    """The episodes of a session, newest first."""
    may_see(caller, [given.space])
    scope = Scope.of(given.space, sessions=[given.session])
    found = world.library.store.listing.notes_in(scope, given.limit + 1, given.offset)
    shown = [NoteTold.of(note) for note in found[: given.limit]]
    return EpisodesPage(episodes=shown, more=len(found) > given.limit)
