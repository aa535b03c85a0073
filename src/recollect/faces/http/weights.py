"""Live weights: which holds for a search, and where it was set. Kept in the store, so that every
process sees a change from its next request on (R4.2).

A request's own weight wins over the session's, that over its project's, that over the recipe's
(which is what a plain `PATCH /settings` changes), and the recipe as it is written comes last.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from recollect.model.errors import BadInput
from recollect.ports import Ports, Settings, Store
from recollect.recipes.recipe import Recipe
from recollect.recipes.shelf import KNOWN

Source = Literal["request", "session", "project", "recipe", "default"]

SEED_NAMES: Final = {"meaning": "semanticWeight", "words": "keywordWeight"}  # seed 004


class Place(NamedTuple):
    """Where a search is asked, or a setting is kept; nothing named: for the recipe as a whole."""

    space: str
    session: str | None = None
    project: str | None = None


@dataclass(frozen=True, slots=True)
class Resolved:
    """Weights by leg, and for each setting its value and where that came from."""

    weights: Mapping[str, float]
    sources: Mapping[str, tuple[float, Source]]

    def flat(self) -> dict[str, float]:
        return {name: value for name, (value, _) in self.sources.items()}

    def told(self) -> dict[str, dict[str, object]]:
        return {name: {"value": v, "source": source} for name, (v, source) in self.sources.items()}


def setting_of(leg: str) -> str:
    return SEED_NAMES.get(leg, f"{leg}Weight")


def resolved(
    recipe: Recipe, place: Place, asked: Mapping[str, float], store: Store, ports: Ports
) -> Resolved:
    """Only what was set somewhere is among the weights: what was not is left to the recipe."""
    levels = dict(_levels(recipe, place, store))
    leaning = ports.embedder is not None and ports.embedder.weak
    default = recipe.leaning_on_words() if leaning else recipe
    weights: dict[str, float] = dict(asked)
    sources: dict[str, tuple[float, Source]] = {}
    for leg in default.legs:
        name = setting_of(leg.name)
        if leg.name in asked:
            sources[name] = (asked[leg.name], "request")
            continue
        level = next((level for level, own in levels.items() if name in own), None)
        if level is None:
            sources[name] = (leg.weight, "default")
        else:
            weights[leg.name] = levels[level][name]
            sources[name] = (weights[leg.name], level)
    return Resolved(weights, sources)


def change(recipe: Recipe, place: Place, changes: Mapping[str, float | None], store: Store) -> None:
    """All of them or none; None takes a setting away, so that the next level holds again."""
    known = [setting_of(leg.name) for leg in recipe.legs]
    for name, value in changes.items():
        if name not in known:
            raise BadInput(name, value, f"is no setting of '{recipe.name}'; {', '.join(known)} are")
    store.settings.change_settings(owner_of(recipe.name, place), changes)


def owner_of(recipe: str, place: Place) -> str:
    if place.session is not None:
        return json.dumps(["session", place.space, place.session, recipe])
    if place.project is not None:
        return json.dumps(["project", place.space, place.project, recipe])
    return json.dumps(["recipe", recipe])


def _levels(
    recipe: Recipe, place: Place, store: Store
) -> Iterator[tuple[Source, Mapping[str, float]]]:
    project = place.project
    if place.session is not None:
        own = Place(place.space, session=place.session)
        yield "session", store.settings.settings(owner_of(recipe.name, own))
        session = store.roster.session(place.space, place.session)
        project = session.project if session else None
    if project is not None:
        own = Place(place.space, project=project)
        yield "project", store.settings.settings(owner_of(recipe.name, own))
    yield "recipe", store.settings.settings(owner_of(recipe.name, Place(place.space)))


def forget_settings(place: Place, settings: Settings) -> None:
    """Of a session or a project that is no more, under every recipe."""
    for recipe in KNOWN:
        owner = owner_of(recipe, place)
        settings.change_settings(owner, dict.fromkeys(settings.settings(owner)))
