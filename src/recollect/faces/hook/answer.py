"""An agent's event in, what to print out: the same in a hook's own process and in the warm one.

What is said is handed to a `say`, which answers whether it has arrived: only then is it given.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from recollect.engine.recollect import WHOLE, Gate, memory_of
from recollect.engine.tell import HandOver, tell
from recollect.faces.context import block
from recollect.model.errors import EmptyQuery, RecollectError
from recollect.model.note import Note
from recollect.model.query import MAX_QUERY_CHARACTERS, Scope
from recollect.model.recollection import Handed, Recollection

if TYPE_CHECKING:
    from recollect.open import Library

MEMORY: Final = "memory"
LATEST: Final = 50
KEPT: Final = timedelta(days=30)
"""How long after its last answer a session may be taken up again as it was."""
OPENING: Final = "What was remembered last and matters most:"
BRIEF: Final = 3
"""A session begins with the most important of the latest, as many as a prompt is answered with."""


class Said(NamedTuple):
    """What goes to the agent, and what to whoever looks after it."""

    out: str = ""
    err: str = ""


Say = Callable[[Said], bool]
Json = Mapping[str, Any]


class Once:
    """Says the first thing it is told to."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self.spoken = False

    def __call__(self, said: Said) -> bool:
        if self.spoken:
            return False
        self.spoken = True
        return self._say(said)


def answer_event(event: Json, wishes: Json, library: "Library", say: Say) -> None:
    """Says one thing. Whatever an event or a store can hold, the reason goes to `err`; what goes
    wrong after it was said is raised."""
    once = Once(say)
    try:
        once(_answered(event, wishes, library, once))
    except RecollectError as error:
        if once.spoken:
            raise
        once(Said(err=str(error)))


def _answered(event: Json, wishes: Json, library: "Library", say: Say) -> Said:
    """What is left to say when all is done."""
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
    return answers[name](event, wishes, library, say)


def _answer_prompt(event: Json, wishes: Json, library: "Library", say: Say) -> Said:
    prompt, session = event.get("prompt"), session_of(event)
    if not isinstance(prompt, str):
        return Said(err="the event holds no prompt")
    try:
        done = library.recollect(
            prompt[:MAX_QUERY_CHARACTERS],
            session=session,
            scope=scope_of(wishes),
            gate=Gate(wishes["threshold"], forced=wishes["force"]),
            hand_over=_saying(say, wishes["budget"]),
        )
    except EmptyQuery:
        return Said(err="the prompt is empty; nothing was looked for")
    if done.recollection is None:
        return Said(err=f"same topic as before (cosine {done.likeness:.2f}); --force asks anyway")
    return Said()


def _brief(event: Json, wishes: Json, library: "Library", say: Say) -> Said:
    """What matters most of what is new. A context that begins anew has been given nothing yet."""
    session, scope, kept = session_of(event), scope_of(wishes), library.recollections
    chosen = _most_important(library, scope)
    memories = tuple(memory_of(note, note.text[:WHOLE]) for note in chosen)
    best = Recollection(session, library.clock.now(), memories)
    with kept.turn(session):
        if event.get("source") != "resume":
            kept.drop(session)
        if memories:
            tell(best, library.store.usage, kept, _saying(say, wishes["budget"] // 2, OPENING))
    return Said()


def _most_important(library: "Library", scope: Scope) -> list[Note]:
    """Of the latest, those that no other one has brought up to date."""
    latest = library.store.listing.notes_in(scope, LATEST)
    facts = library.store.shelf.facts(note.id for note in latest)
    valid = [note for note in latest if not facts[note.id].superseded]
    return sorted(valid, key=lambda note: -note.importance)[:BRIEF]


def _saying(say: Say, budget: int, opening: str = "") -> HandOver:
    def hand_over(told: Recollection) -> Handed:
        made = block(told.fresh(), budget, opening)
        return Handed(made.ids, made.text, arrived=say(Said(made.text)))

    return hand_over


def _capture(event: Json, wishes: Json, library: "Library", _: Say) -> Said:
    from recollect.faces.hook.capture import capture

    space = (wishes["spaces"] or (MEMORY,))[0]
    capture(event, session_of(event), space, wishes.get("project"), library)
    return Said()


def warm_up(library: "Library") -> None:
    """Asks as a prompt would, and keeps nothing of it; sessions long over are forgotten."""
    library.recollections.sweep(library.clock.now() - KEPT)
    library.ask("what is remembered", recipe="recollect", scope=Scope.of(MEMORY))


def session_of(event: Json) -> str:
    session = event.get("session_id")
    return session if isinstance(session, str) and session else "default"


def scope_of(wishes: Json) -> Scope:
    project = wishes.get("project")
    return Scope.of(*(wishes["spaces"] or (MEMORY,)), projects=[project] if project else None)
