"""The type of a recipe: legs, pool, fusion, adjustments, rerank, cut. Pure values that check themselves."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal, get_args

from recollect.model.errors import BadInput, NotFound
from recollect.model.query import limit_of, number_of, one_of, weight_of, whole_of
from recollect.retrieve.adjust import Adjustment
from recollect.retrieve.facts import Fact
from recollect.retrieve.fuse import DEFAULT_K, RRF, Convex, Distribution, Weighted
from recollect.retrieve.order import TieBreak
from recollect.retrieve.parse import Syntax

MatchPolicy = Literal["any", "all", "all_then_any"]
JudgedDocument = Literal["title_summary", "passage"]
AnyFusion = RRF | Convex | Distribution | Weighted

MAX_DEPTH = 10_000


@dataclass(frozen=True, slots=True)
class ByWords:
    """Full text. `match` says whether words side by side must all be there, or any of them."""

    kind: ClassVar[str] = "words"
    weight: float = 1.0
    depth: int = 100
    depth_per_limit: int = 0
    match: MatchPolicy = "any"
    syntax: Syntax = "language"
    retry: bool = False
    required: bool = False

    def __post_init__(self) -> None:
        _check_leg(self.weight, self.depth, self.depth_per_limit)
        one_of("match", self.match, get_args(MatchPolicy))
        one_of("syntax", self.syntax, get_args(Syntax))

    @property
    def name(self) -> str:
        return "words"


@dataclass(frozen=True, slots=True)
class ByMeaning:
    """Nearest embeddings: in the whole scope, or over the recipe's pool where it has one."""

    kind: ClassVar[str] = "meaning"
    weight: float = 1.0
    depth: int = 100
    depth_per_limit: int = 0
    required: bool = False

    def __post_init__(self) -> None:
        _check_leg(self.weight, self.depth, self.depth_per_limit)

    @property
    def name(self) -> str:
        return "meaning"


@dataclass(frozen=True, slots=True)
class ByLinks:
    """Notes one link away from the first `seeds` that the other legs found."""

    kind: ClassVar[str] = "links"
    weight: float = 0.35
    depth: int = 100
    depth_per_limit: int = 0
    seeds: int = 10
    required: bool = False

    def __post_init__(self) -> None:
        _check_leg(self.weight, self.depth, self.depth_per_limit)
        whole_of("seeds", self.seeds, low=1, high=1000)

    @property
    def name(self) -> str:
        return "links"


@dataclass(frozen=True, slots=True)
class ByFact:
    """The order of a fact over all candidates: `created`, `access`, or `usefulness`."""

    kind: ClassVar[str] = "fact"
    fact: Fact
    weight: float = 1.0

    def __post_init__(self) -> None:
        one_of("fact", self.fact, get_args(Fact))
        weight_of("weight", self.weight)

    @property
    def name(self) -> str:
        return self.fact


Leg = ByWords | ByMeaning | ByLinks | ByFact


@dataclass(frozen=True, slots=True)
class Pool:
    """Only these may be found: the notes accessed last, and what the words found besides;
    each must have an embedding (R1.2)."""

    recently_accessed: int = 200

    def __post_init__(self) -> None:
        whole_of("recently_accessed", self.recently_accessed, low=0, high=MAX_DEPTH)


@dataclass(frozen=True, slots=True)
class Rerank:
    """A judge rescores the head; the tail follows unchanged."""

    top_n: int = 20
    document: JudgedDocument = "title_summary"
    skip_when_unanimous: bool = True
    enabled: bool = True

    def __post_init__(self) -> None:
        whole_of("top_n", self.top_n, low=1, high=1000)
        one_of("document", self.document, get_args(JudgedDocument))


@dataclass(frozen=True, slots=True)
class Weak:
    """What holds instead while a weak model serves, so that fusion is never worse than words alone."""

    meaning: float = 0.15
    fusion: AnyFusion = field(default=Distribution())

    def __post_init__(self) -> None:
        weight_of("meaning", self.meaning)


@dataclass(frozen=True, slots=True)
class Recipe:
    name: str
    about: str
    legs: tuple[Leg, ...]
    fusion: AnyFusion = field(default=RRF())
    ties: TieBreak = "path"
    pool: Pool | None = None
    adjustments: tuple[Adjustment, ...] = ()
    rerank: Rerank | None = None
    weak: Weak | None = None
    limit: int = 10
    floor: float = 0.0

    def __post_init__(self) -> None:
        for text in ("name", "about"):
            if not isinstance(getattr(self, text), str):
                raise BadInput(text, getattr(self, text), "is not text")
        if not self.name:
            raise BadInput("name", self.name, "is empty; a recipe needs a name")
        if not self.legs:
            raise BadInput("legs", [], "is empty; a recipe needs at least one leg")
        names = [leg.name for leg in self.legs]
        for name in names:
            if names.count(name) > 1:
                raise BadInput("legs", name, "stands twice; a leg may stand once")
        one_of("ties", self.ties, get_args(TieBreak))
        limit_of(self.limit)
        number_of("floor", self.floor, low=0, high=1)

    @property
    def k(self) -> float:
        """The k that rank bonuses follow; fusions without one leave the usual 60."""
        return self.fusion.safe_k if isinstance(self.fusion, RRF) else DEFAULT_K

    def leaning_on_words(self) -> "Recipe":
        """As it is used with a weak model; a meaning leg that is off stays off."""
        if self.weak is None:
            return self
        legs = tuple(
            replace(leg, weight=min(leg.weight, self.weak.meaning))
            if isinstance(leg, ByMeaning)
            else leg
            for leg in self.legs
        )
        return replace(self, legs=legs, fusion=self.weak.fusion)

    def with_weights(self, weights: Mapping[str, float]) -> "Recipe":
        """The same recipe with other weights; a leg it does not have is an error, not ignored."""
        for name in weights:
            if name not in (leg.name for leg in self.legs):
                raise NotFound("leg", name, (leg.name for leg in self.legs))
        legs = tuple(
            replace(leg, weight=weight_of(f"weights.{leg.name}", weights[leg.name]))
            if leg.name in weights
            else leg
            for leg in self.legs
        )
        return replace(self, legs=legs)


def depth_for(leg: ByWords | ByMeaning | ByLinks, limit: int) -> int:
    """How many hits to ask for: fixed, or so many times the limit where the recipe says so (R4.4)."""
    return leg.depth_per_limit * limit if leg.depth_per_limit else leg.depth


def _check_leg(weight: float, depth: int, depth_per_limit: int) -> None:
    weight_of("weight", weight)
    whole_of("depth", depth, low=1, high=MAX_DEPTH)
    whole_of("depth_per_limit", depth_per_limit, low=0, high=100)
