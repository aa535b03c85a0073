"""Recipes beside those of the seeds, as data: what evaluation compares with, and what it found better."""

from collections.abc import Mapping
from typing import Final

from recollect.recipes.recipe import ByMeaning, ByWords, Recipe, Weak
from recollect.retrieve.fuse import RRF, Distribution

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

ALTERNATIVES: Final[Mapping[str, Recipe]] = {recipe.name: recipe for recipe in (PLAIN, SPREAD)}
