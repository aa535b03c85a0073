"""The seven tools: arguments that fit their schema in, a short text and the full structure out."""

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from recollect.engine.why_not import why_not
from recollect.faces.context import BUDGET, cut_to, harmless, tokens_in, wrapped
from recollect.faces.mcp import outputs, schemas
from recollect.faces.mcp.desk import Desk
from recollect.faces.moments import moment_of
from recollect.model.answer import Answer, Result
from recollect.model.errors import BadInput, NotFound
from recollect.model.note import Link, Note, importance_of
from recollect.model.query import Query, Scope
from recollect.recipes.shelf import MEMORY
from recollect.retrieve.explain import explain_answer

Arguments = Mapping[str, Any]
LINE: Final = 120
"""Tokens of one result's text in a list."""


class Done(NamedTuple):
    text: str
    structure: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """`reads_only` and `destroys` are hints for a client that asks before it lets an agent act."""

    name: str
    about: str
    schema: schemas.Schema
    output: outputs.Schema
    run: Callable[[Arguments, Desk], Done]
    reads_only: bool = True
    destroys: bool = False
    repeatable: bool = True


def search(given: Arguments, desk: Desk) -> Done:
    library = desk.library
    answer = library.ask(
        given["query"],
        recipe=MEMORY,
        scope=_scope(given, desk),
        limit=given.get("limit", 10),
        sort_by=given.get("sort_by", "relevance"),
        mode=given.get("mode", "auto"),
    )
    library.store.usage.shown([one.note_id for one in answer.results], library.clock.now())
    lines = [_line(one) for one in answer.results] or ["nothing found"]
    missing = [f"(without {one.part}: {one.code}, {one.why})" for one in answer.degraded]
    return Done(_listed([*missing, *lines], given), answer.as_dict())


def get(given: Arguments, desk: Desk) -> Done:
    library = desk.library
    note = seen(given["id"], desk)
    library.store.usage.used([note.id], library.clock.now())
    shape = note_shape(note) | {"backlinks": _linking_to(note, desk)}
    head = " · ".join(
        part for part in (note.id, note.title, f"{note.created_at:%Y-%m-%d}", note.path) if part
    )
    return Done(_listed([head, note.text], given, 4_000, each=50_000), shape)


def remember(given: Arguments, desk: Desk) -> Done:
    library = desk.library
    now = library.clock.now()
    links = [Link(seen(one["target"], desk).id, one["kind"]) for one in given.get("links", ())]
    note = Note(
        id=uuid.uuid4().hex[:12],
        space=desk.bounds.home,
        text=given["text"],
        title=given.get("title", ""),
        created_at=now,
        modified_at=now,
        importance=importance_of(given.get("importance", "medium")),
        session=given.get("session"),
        project=desk.bounds.own_project(given.get("project")),
        tags=tuple(given.get("tags", ())),
        links=tuple(links),
    )
    done = library.keep(note, distinct=given.get("distinct", False))
    said = {
        "inserted": f"remembered as {done.note_id}",
        "duplicate": f"known already: duplicate of {done.other}; nothing was written",
        "supersedes": f"remembered as {done.note_id}; it supersedes {done.other},"
        " which stays readable and steps back",
    }[done.outcome]
    later = "" if done.embedded else " (found by words now, by meaning once the model is loaded)"
    return Done(said + later, asdict(done))


def forget(given: Arguments, desk: Desk) -> Done:
    library = desk.library
    if "ids" in given:
        doomed = [seen(name, desk) for name in dict.fromkeys(given["ids"])]
    else:
        doomed = library.matching(given["query"], desk.bounds.scope())
    if not doomed:
        return Done("nothing to forget", {"would_forget": [], "forgotten": []})
    code = _code(note.id for note in doomed)
    ids = [note.id for note in doomed]
    if "confirm" not in given:
        lines = [f"- {note.id} {_short(note)}" for note in doomed]
        ask = f"{len(ids)} would be forgotten; nothing is yet. To do it, call again with confirm={code}"
        return Done(_listed([ask, *lines], given), {"would_forget": ids, "confirm": code})
    if given["confirm"] != code:
        raise BadInput("confirm", given["confirm"], "does not fit what would be forgotten now")
    library.forget(doomed)
    return Done(f"forgot {len(ids)}", {"forgotten": ids})


def recent(given: Arguments, desk: Desk) -> Done:
    notes = desk.library.store.listing.notes_in(_scope(given, desk), given.get("limit", 10))
    lines = [f"- [{note.id}, {note.modified_at:%Y-%m-%d}] {_short(note)}" for note in notes]
    return Done(
        _listed(lines or ["nothing here yet"], given),
        {"notes": [note_shape(note) for note in notes]},
    )


def why(given: Arguments, desk: Desk) -> Done:
    library, scope = desk.library, _scope(given, desk)
    limit = given.get("limit", 3)
    answer = library.ask(given["query"], recipe=MEMORY, scope=scope, limit=limit)
    if "id" not in given:
        return Done(_listed([explain_answer(answer)], given, each=50_000), answer.as_dict())
    note = seen(given["id"], desk)
    query = Query(given["query"], scope, library.clock.now(), limit=limit)
    reasons = why_not(query, note.id, MEMORY, library.ports())
    shape = {"note_id": note.id, "reasons": list(reasons), "result": _found(answer, note.id)}
    return Done(_listed(list(reasons), given), shape)


def status(_: Arguments, desk: Desk) -> Done:
    library = desk.library
    model, notes = library.embedder, len(library.store.listing.ids_in(desk.bounds.scope()))
    ready = bool(getattr(model, "ready", model is not None))
    shape = {
        "spaces": list(desk.bounds.spaces),
        "project": desk.bounds.project,
        "notes": notes,
        "waiting": library.waiting(),
        "model": model.identity if model else None,
        "model_ready": ready,
    }
    state = "words only" if model is None else f"{model.identity}{'' if ready else ' (loading)'}"
    where = ", ".join(desk.bounds.spaces) + (
        f", project {shape['project']}" * bool(shape["project"])
    )
    text = f"{notes} notes to be seen here, in {where}"
    return Done(f"{text}; meaning: {state}; {shape['waiting']} passages wait for a vector", shape)


TOOLS: Final = (
    Tool(
        "search",
        "Finds memories and notes by words and meaning, best first. Use it before answering anything "
        "that earlier work may have settled. Returns short excerpts with ids; `get` shows a whole note.",
        schemas.SEARCH,
        outputs.SEARCH,
        search,
    ),
    Tool(
        "get",
        "Shows one note whole, by id or path. Reading it counts as a use of it.",
        schemas.GET,
        outputs.GET,
        get,
    ),
    Tool(
        "remember",
        "Stores one memory. Says whether it was inserted, is a duplicate of one that is there, or "
        "supersedes one that it brings up to date. Nothing is deleted.",
        schemas.REMEMBER,
        outputs.REMEMBER,
        remember,
        reads_only=False,
        repeatable=False,  # with `distinct`, each call stores one more
    ),
    Tool(
        "forget",
        "Removes notes for good, by ids or by words. The first call only shows what would go and "
        "gives a code; a second call with that code as `confirm` removes exactly that.",
        schemas.FORGET,
        outputs.FORGET,
        forget,
        reads_only=False,
        destroys=True,
    ),
    Tool(
        "recent",
        "Lists the notes changed last, newest first. Use it to see what was going on lately; to find "
        "something in particular, `search`.",
        schemas.RECENT,
        outputs.RECENT,
        recent,
    ),
    Tool(
        "why",
        "Explains a search: how every score came about; or, with an id, why that note is or is not "
        "among the results.",
        schemas.WHY,
        outputs.WHY,
        why,
    ),
    Tool(
        "status",
        "Tells how many notes can be seen here, where, and whether search by meaning is ready.",
        schemas.STATUS,
        outputs.STATUS,
        status,
    ),
)


def seen(name: str, desk: Desk) -> Note:
    """The note of this id or path, if this server's clients may see it."""
    bounds = desk.bounds
    for space in bounds.spaces:
        try:
            note = desk.library.find(name, space)
        except NotFound:
            continue
        if desk.library.store.shelf.seen([note.id], bounds.scope()):
            return note
    raise NotFound("note", name)


def _linking_to(note: Note, desk: Desk) -> list[str]:
    """The ids of the notes that link to it, as far as they may be seen."""
    store = desk.library.store
    linking = store.listing.linking_to(note.id)
    visible = store.shelf.seen(linking, desk.bounds.scope())
    return [one for one in linking if one in visible]


def note_shape(note: Note) -> dict[str, Any]:
    shape = asdict(note)
    for name in ("created_at", "modified_at"):
        shape[name] = getattr(note, name).isoformat()
    return shape


def _scope(given: Arguments, desk: Desk) -> Scope:
    now = desk.library.clock.now()
    return desk.bounds.scope(
        given.get("project"),
        given.get("tags", ()),
        moment_of("since", given.get("since"), now),
        moment_of("before", given.get("before"), now),
    )


def _listed(lines: Iterable[str], given: Arguments, usual: int = BUDGET, each: int = LINE) -> str:
    """As many lines as the budget holds, marked as data."""
    left = given.get("max_tokens", usual) - tokens_in(wrapped([])) - 1
    kept: list[str] = []
    for line in lines:
        if left < 1:
            break
        kept.append(cut_to(harmless(line), min(each, left)))
        left -= tokens_in(kept[-1]) + 1
    return wrapped(kept)


def _line(one: Result) -> str:
    date = f", {one.created_at:%Y-%m-%d}" if one.created_at else ""
    name = f"{one.title or one.path}: " if one.title or one.path else ""
    return f"{one.rank}. [{one.note_id}{date}] {name}{one.snippet}"


def _short(note: Note) -> str:
    return " ".join(f"{note.title or note.path} {note.text}".split())[:200]


def _code(ids: Iterable[str]) -> str:
    return blake2b("\n".join(sorted(ids)).encode(), digest_size=4).hexdigest()


def _found(answer: Answer, note_id: str) -> Any:
    results: Any = answer.as_dict()["results"]
    return next((one for one in results if one["note_id"] == note_id), None)
