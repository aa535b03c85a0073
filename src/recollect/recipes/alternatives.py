"""Recipes beside those of the seeds, as data: what evaluation compares with, and what it found better."""

from typing import Final

from recollect.recipes.recipe import ByMeaning, ByWords, Recipe, Rerank, Weak
from recollect.retrieve.adjust import AgeTiers, Backlinks, Superseded
from recollect.retrieve.fuse import RRF, Distribution

HYBRID: Final = Recipe(
    name="hybrid",
    about="words and meaning and nothing else: for a store that holds several kinds of notes",
    legs=(ByWords(retry=True), ByMeaning()),
    fusion=Distribution(),  # no seed says how; docs/adr/0062
    ties="newest",
    adjustments=(Superseded(),),
    rerank=Rerank(document="passage", enabled=False),
    weak=Weak(),
)

PLAIN: Final = Recipe(
    name="plain",
    about="words and meaning by reciprocal rank, nothing else: what fusions are compared on",
    legs=(ByWords(syntax="plain"), ByMeaning()),
    fusion=RRF(k=60),
    weak=Weak(),
)

SPREAD: Final = Recipe(
    name="spread",
    about="words and meaning by how far their scores stand out: better than rank where one leg is weak",
    legs=(ByWords(syntax="plain"), ByMeaning()),  # as it was measured
    fusion=Distribution(),
    weak=Weak(),
)

LINKED: Final = Recipe(
    name="linked",
    about="as vault, by how far scores stand out; a backlink is a nudge, and age says nothing",
    legs=(ByWords(retry=True), ByMeaning()),
    fusion=Distribution(),
    ties="path",
    adjustments=(Backlinks(weight=0.01, cap=10), AgeTiers(enabled=False)),  # docs/adr/0063
    rerank=Rerank(document="passage", enabled=False),
    weak=Weak(),
)
