"""A query and a note in; where on its way the note was lost, in words, out."""

from dataclasses import replace

from recollect.engine.ask import ask
from recollect.model.answer import Answer, Result
from recollect.model.errors import NotFound
from recollect.model.query import MAX_LIMIT, Query
from recollect.ports import Ports
from recollect.recipes.recipe import MAX_DEPTH, ByFact, Recipe


def why_not(query: Query, note_id: str, recipe: Recipe, ports: Ports) -> tuple[str, ...]:
    """Reasons from the first stage to the last; the last one tells what it would take."""
    facts = ports.shelf.facts([note_id]).get(note_id)
    if facts is None:
        raise NotFound("note", note_id)
    if facts.space not in query.scope.spaces:
        return (f"it is in the space '{facts.space}', which this search may not see",)
    usual = ask(replace(query, limit=MAX_LIMIT, floor=0.0), recipe, ports)
    found = _result(usual, note_id)
    if found is not None:
        return _lost_at_the_cut(found, query, recipe)
    deep = ask(replace(query, limit=MAX_LIMIT, floor=0.0), _deepened(recipe), ports)
    found = _result(deep, note_id)
    if found is None:
        return _never_found(usual)
    ranks = ", ".join(f"{leg} {share.rank}" for leg, share in found.legs.items())
    depths = ", ".join(
        f"{leg.name} {leg.depth}" for leg in recipe.legs if not isinstance(leg, ByFact)
    )
    return (
        f"every leg stops before it reaches the note: it stands at {ranks}; asked for {depths}",
    )


def _result(answer: Answer, note_id: str) -> Result | None:
    return next((one for one in answer.results if one.note_id == note_id), None)


def _lost_at_the_cut(found: Result, query: Query, recipe: Recipe) -> tuple[str, ...]:
    limit = query.limit or recipe.limit
    floor = recipe.floor if query.floor is None else query.floor
    reasons = []
    if found.score_normalised < floor:
        reasons.append(f"its score {found.score_normalised:.2f} is below the floor {floor:g}")
    if found.rank > limit:
        reasons.append(f"it stands at {found.rank}, and {limit} are shown")
    if not reasons:
        reasons.append(f"it is there, at {found.rank}")
    weak = [f"{step.name} × {step.amount:g}" for step in found.adjustments if step.amount < 1]
    legs = ", ".join(f"{leg} at {share.rank}" for leg, share in found.legs.items())
    reasons.append(f"found by {legs}" + (f"; pushed back by {', '.join(weak)}" if weak else ""))
    return tuple(reasons)


def _deepened(recipe: Recipe) -> Recipe:
    legs = tuple(
        leg if isinstance(leg, ByFact) else replace(leg, depth=MAX_DEPTH, depth_per_limit=0)
        for leg in recipe.legs
    )
    return replace(recipe, legs=legs)


def _never_found(answer: Answer) -> tuple[str, ...]:
    missing = tuple(f"{one.part} did not answer ({one.code}: {one.why})" for one in answer.degraded)
    return (
        *missing,
        "no leg finds it: it holds none of the words asked for, "
        "it has no embedding yet, or the scope leaves it out",
    )
