"""A query, a recipe and what is at hand in; what will be asked of whom out. Nothing is asked yet."""

from dataclasses import dataclass, replace
from typing import TypeVar

from recollect.model.errors import BadInput, LegFailed
from recollect.model.query import Mode, Query
from recollect.model.tree import Node
from recollect.ports import Ports
from recollect.recipes.recipe import ByFact, ByLinks, ByMeaning, ByWords, Leg, Recipe
from recollect.retrieve.aliases import expand_aliases, names_in
from recollect.retrieve.parse import Parsed, Syntax, parse

_AnyLeg = TypeVar("_AnyLeg", ByWords, ByMeaning, ByLinks, ByFact)

WEAK = "a weak model serves: this recipe leans on words until a better one is installed"
NO_MEANING = "no embedder, or no vectors to search"


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything decided before the first call: the legs that will be asked, and with what."""

    query: Query
    recipe: Recipe
    mode: Mode
    legs: tuple[Leg, ...]
    parsed: Parsed
    tree: Node
    limit: int
    fell_back: bool
    meaning_is_absent: bool

    def leg(self, kind: type[_AnyLeg]) -> _AnyLeg | None:
        return next((leg for leg in self.legs if isinstance(leg, kind)), None)

    @property
    def floor(self) -> float:
        return self.recipe.floor if self.query.floor is None else self.query.floor

    def facts(self) -> tuple[ByFact, ...]:
        return tuple(leg for leg in self.legs if isinstance(leg, ByFact))


def make_plan(query: Query, recipe: Recipe, ports: Ports) -> Plan:
    leaning = ports.embedder is not None and ports.embedder.weak and recipe.weak is not None
    weighted = (recipe.leaning_on_words() if leaning else recipe).with_weights(query.weights)
    has_meaning = ports.embedder is not None and ports.vectors is not None
    mode = _mode(query.mode, has_meaning=has_meaning)
    legs = _legs(query.mode, mode, weighted)
    asks_meaning = any(isinstance(leg, ByMeaning) and leg.weight > 0 for leg in weighted.legs)
    for leg in weighted.legs:
        if isinstance(leg, ByMeaning) and leg.required and leg.weight > 0 and not has_meaning:
            raise LegFailed(leg.name, NO_MEANING)
    parsed = parse(query.text, _syntax(recipe))
    return Plan(
        query=query,
        recipe=weighted,
        mode=mode,
        legs=legs,
        parsed=replace(parsed, remarks=(*parsed.remarks, WEAK)) if leaning else parsed,
        tree=_expanded(parsed, query, ports),
        limit=query.limit or recipe.limit,
        fell_back=query.mode in ("semantic", "hybrid") and not has_meaning,
        meaning_is_absent=asks_meaning and not has_meaning and query.mode != "bm25",
    )


def _mode(asked: Mode, *, has_meaning: bool) -> Mode:
    """R2.2: without an embedder every mode is bm25."""
    if not has_meaning:
        return "bm25"
    return "hybrid" if asked == "auto" else asked


def _legs(asked: Mode, mode: Mode, recipe: Recipe) -> tuple[Leg, ...]:
    """The legs that will be called: those of the mode, less those of weight 0."""
    if mode == "hybrid":
        return tuple(leg for leg in recipe.legs if leg.weight > 0)
    kind = ByWords if mode == "bm25" else ByMeaning
    alone = next((leg for leg in recipe.legs if isinstance(leg, kind)), None)
    if alone is not None and alone.weight > 0:
        return (replace(alone, weight=1.0),)  # R2.3: a single leg scores 1/(k + rank)
    if asked == mode:
        lacks = "has weight 0" if alone else "is not part of this recipe"
        raise BadInput("mode", asked, f"needs the leg '{kind.kind}', which {lacks}")
    return ()


def _syntax(recipe: Recipe) -> Syntax:
    words = next((leg for leg in recipe.legs if isinstance(leg, ByWords)), None)
    return "language" if words is None else words.syntax


def _expanded(parsed: Parsed, query: Query, ports: Ports) -> Node:
    aliases = ports.shelf.aliases(query.scope.spaces, names_in(parsed.wording))
    return expand_aliases(parsed.tree, aliases) if aliases else parsed.tree
