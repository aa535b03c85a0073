"""The five recipes of the seeds, as data. Every number is its seed's unless a comment says otherwise."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from recollect.model.errors import NotFound
from recollect.recipes.alternatives import HYBRID, LINKED, PLAIN, SPREAD
from recollect.recipes.recipe import (
    ByFact,
    ByLinks,
    ByMeaning,
    ByWords,
    Pool,
    Recipe,
    Rerank,
    Weak,
)
from recollect.retrieve.adjust import (
    AgeTiers,
    Backlinks,
    ExactMatch,
    ImportanceBonus,
    ImportancePrior,
    IntentFactors,
    Superseded,
)
from recollect.retrieve.fuse import RRF

RECOLLECT: Final = Recipe(
    name="recollect",
    about="a coding agent's memory: the three best memories for a prompt",
    legs=(
        ByWords(weight=1.0, depth=50, match="any", syntax="plain"),
        ByMeaning(weight=1.0, required=True),
        ByFact("created", weight=0.6),
        ByFact("access", weight=0.4),
    ),
    pool=Pool(recently_accessed=200),
    fusion=RRF(k=60, ranks="dense"),
    ties="newest",
    adjustments=(ImportanceBonus(positions=10), Superseded()),
    # its bonus and its other legs count in reciprocal ranks, so it stays with them
    weak=Weak(meaning=0.01, fusion=RRF(k=60, ranks="dense")),
    limit=3,
)

MEMORY: Final = Recipe(
    name="memory",
    about="an agent's memory server: words, meaning and links, importance as a prior",
    legs=(
        ByWords(weight=1.0, match="all_then_any", syntax="plain"),
        ByMeaning(weight=1.0),
        ByLinks(weight=0.35),
    ),
    fusion=RRF(k=60),
    ties="newest",
    adjustments=(ImportancePrior(base=0.7, span=0.3), ExactMatch(enabled=False), Superseded()),
    rerank=Rerank(top_n=20, document="passage", enabled=False),
    weak=Weak(),
)

BRAIN: Final = Recipe(
    name="brain",
    about="a knowledge brain: query language, retry ladder, intent, unanimity, rerank",
    legs=(ByWords(depth=60, retry=True), ByMeaning(depth=60)),
    fusion=RRF(k=60),
    ties="path",
    adjustments=(IntentFactors(),),
    rerank=Rerank(top_n=20, document="title_summary", skip_when_unanimous=True),
    weak=Weak(),
)

VAULT: Final = Recipe(
    name="vault",
    about="a folder of linked notes: words and meaning, backlinks, tiers of age",
    legs=(ByWords(retry=True), ByMeaning()),  # the seed is silent on a query that finds no word
    fusion=RRF(k=60),
    ties="path",
    adjustments=(Backlinks(weight=0.1, cap=10), AgeTiers()),
    rerank=Rerank(document="passage", enabled=False),
    weak=Weak(),
)

CHAT: Final = Recipe(
    name="chat",
    about="a chat service: episodes of a session or project, live weights",
    legs=(
        ByMeaning(weight=1.0, depth_per_limit=1),
        ByWords(weight=0.0, depth_per_limit=2),
    ),
    fusion=RRF(k=60),
    ties="legs",
)

RECOLLECT_BY_USE: Final = replace(
    RECOLLECT,
    name="recollect-by-use",
    about="as recollect, but by uses per showing: what is shown and never read steps back",
    legs=(*RECOLLECT.legs[:-1], ByFact("usefulness", weight=0.4)),  # its place and weight: access's
)

ALTERNATIVES: Final[Mapping[str, Recipe]] = {
    recipe.name: recipe for recipe in (HYBRID, LINKED, PLAIN, RECOLLECT_BY_USE, SPREAD)
}
"""Recipes of no seed: named beside the five, never in place of one."""

SHELF: Final[Mapping[str, Recipe]] = {
    recipe.name: recipe for recipe in (BRAIN, CHAT, MEMORY, RECOLLECT, VAULT)
}


KNOWN: Final[Mapping[str, Recipe]] = {**SHELF, **ALTERNATIVES}


def recipe_named(name: str) -> Recipe:
    if name not in KNOWN:
        raise NotFound("recipe", name, KNOWN)
    return KNOWN[name]
