"""An agent's event in, what to print out: the same in a hook's own process and in the warm one."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from recollect.engine.recollect import WHOLE, Gate, hand_over, memory_of
from recollect.faces.context import block
from recollect.model.errors import EmptyQuery, RecollectError
from recollect.model.query import MAX_QUERY_CHARACTERS, Scope
from recollect.model.recollection import Recollection

if TYPE_CHECKING:
    from recollect.open import Library

MEMORY: Final = "memory"
LATEST: Final = 50
KEPT: Final = timedelta(days=30)
"""How long after its last answer a session may be taken up again as it was."""
BRIEF: Final = 3
"""A session begins with the most important of the latest, as many as a prompt is answered with."""


class Said(NamedTuple):
    """What goes to the agent, and what to whoever looks after it."""

    out: str = ""
    err: str = ""
    session: str = ""


def answer_event(event: Mapping[str, Any], wishes: Mapping[str, Any], library: "Library") -> Said:
    """Never raises for anything an event or a store can hold: the reason goes to `err`."""
    name = event.get("hook_event_name") or "UserPromptSubmit"
    answers = {
        "UserPromptSubmit": _answer_prompt,
        "SessionStart": _brief,
        "Stop": _capture,
        "PreCompact": _capture,
        "SessionEnd": _capture,
    }
    if name not in answers:
        return Said(err=f"nothing to do for the event {name!r}")
    try:
        return answers[name](event, wishes, library)
    except RecollectError as error:
        return Said(err=str(error))


def _answer_prompt(event: Mapping[str, Any], wishes: Mapping[str, Any], library: "Library") -> Said:
    prompt, session = event.get("prompt"), session_of(event)
    if not isinstance(prompt, str):
        return Said(err="the event holds no prompt")
    try:
        done = library.recollect(
            prompt[:MAX_QUERY_CHARACTERS],
            session=session,
            scope=scope_of(wishes),
            gate=Gate(wishes["threshold"], forced=wishes["force"]),
        )
    except EmptyQuery:
        return Said(err="the prompt is empty; nothing was looked for")
    if done.recollection is None:
        return Said(err=f"same topic as before (cosine {done.likeness:.2f}); --force asks anyway")
    return Said(block(done.recollection.fresh(), wishes["budget"]), session=session)


def _brief(event: Mapping[str, Any], wishes: Mapping[str, Any], library: "Library") -> Said:
    """What matters most of what is new. A context that begins anew has been given nothing yet."""
    session, scope = session_of(event), scope_of(wishes)
    if event.get("source") != "resume":
        library.recollections.drop(session)
    latest = library.store.listing.notes_in(scope, LATEST)
    chosen = sorted(latest, key=lambda note: -note.importance)[:BRIEF]
    if not chosen:
        return Said()
    memories = tuple(memory_of(note, note.text[:WHOLE]) for note in chosen)
    told = Recollection(session, library.clock.now(), memories)
    kept = hand_over(told, library.store.usage, library.recollections)
    opening = "What was remembered last and matters most:"
    return Said(block(kept.fresh(), wishes["budget"] // 2, opening), session=session)


def _capture(event: Mapping[str, Any], wishes: Mapping[str, Any], library: "Library") -> Said:
    from recollect.faces.hook.capture import capture

    space = (wishes["spaces"] or (MEMORY,))[0]
    capture(event, session_of(event), space, wishes.get("project"), library)
    return Said()


def take_back(said: Said, library: "Library") -> None:
    """It did not arrive in time: kept for the next answer that is late."""
    last = library.recollections.last(said.session) if said.out else None
    if last is not None:
        library.recollections.change(
            said.session, lambda now: replace(now or last, unsaid=said.out)
        )


def warm_up(library: "Library") -> None:
    """Asks as a prompt would, and keeps nothing of it; sessions long over are forgotten."""
    library.recollections.sweep(library.clock.now() - KEPT)
    library.ask("what is remembered", recipe="recollect", scope=Scope.of(MEMORY))


def session_of(event: Mapping[str, Any]) -> str:
    session = event.get("session_id")
    return session if isinstance(session, str) and session else "default"


def scope_of(wishes: Mapping[str, Any]) -> Scope:
    project = wishes.get("project")
    return Scope.of(*(wishes["spaces"] or (MEMORY,)), projects=[project] if project else None)
