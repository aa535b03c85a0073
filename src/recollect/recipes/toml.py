"""Recipes as TOML text, in and out. Pure. What is written reads back as the same recipe.

A key that no recipe has is refused, and so is a value out of range; the error names the key as it
stands in the file, the value, and what is allowed.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, fields
from typing import Any, Final, TypeVar

import tomli_w

from recollect.model.errors import BadInput
from recollect.recipes.recipe import (
    AnyFusion,
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
from recollect.retrieve.fuse import RRF, Convex, Distribution, Weighted

_Part = TypeVar("_Part")

_FUSIONS: Final = {kind.method: kind for kind in (RRF, Convex, Distribution, Weighted)}
_LEGS: Final = {kind.kind: kind for kind in (ByWords, ByMeaning, ByLinks, ByFact)}
_ADJUSTMENTS: Final = {
    kind.name: kind
    for kind in (
        AgeTiers,
        Backlinks,
        ExactMatch,
        ImportanceBonus,
        ImportancePrior,
        IntentFactors,
        Superseded,
    )
}


def write_recipe(recipe: Recipe) -> str:
    table: dict[str, Any] = {"name": recipe.name, "about": recipe.about}
    table |= {"limit": recipe.limit, "floor": recipe.floor, "ties": recipe.ties}
    table["fusion"] = {"method": recipe.fusion.method} | _values(recipe.fusion)
    if recipe.pool is not None:
        table["pool"] = _values(recipe.pool)
    if recipe.weak is not None:
        fusion = {"method": recipe.weak.fusion.method} | _values(recipe.weak.fusion)
        table["weak"] = {"meaning": recipe.weak.meaning, "fusion": fusion}
    if recipe.rerank is not None:
        table["rerank"] = _values(recipe.rerank)
    table["legs"] = [{"kind": leg.kind} | _values(leg) for leg in recipe.legs]
    table["adjustments"] = [{"name": own.name} | _values(own) for own in recipe.adjustments]
    return tomli_w.dumps(table)


def read_recipe(text: str) -> Recipe:
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput("recipe", text, f"is not TOML: {error}") from error
    given = dict(table)
    if "fusion" in given:
        given["fusion"] = _chosen("fusion", "method", _FUSIONS, given["fusion"])
    if "pool" in given:
        given["pool"] = _part("pool", Pool, given["pool"])
    if "weak" in given:
        given["weak"] = _weak(given["weak"])
    if "rerank" in given:
        given["rerank"] = _part("rerank", Rerank, given["rerank"])
    for plural, key, kinds in (("legs", "kind", _LEGS), ("adjustments", "name", _ADJUSTMENTS)):
        if plural in given:
            given[plural] = tuple(
                _chosen(f"{plural}[{at}]", key, kinds, one)
                for at, one in enumerate(_list(plural, given[plural]))
            )
    return _part("", Recipe, given)


def read_fusion(table: Mapping[str, Any]) -> AnyFusion:
    """One table with its method and that method's own numbers."""
    fusion: AnyFusion = _chosen("fusion", "method", _FUSIONS, dict(table))
    return fusion


def _weak(table: object) -> Weak:
    values = _table("weak", table)
    if "fusion" in values:
        values["fusion"] = _chosen("weak.fusion", "method", _FUSIONS, values["fusion"])
    return _part("weak", Weak, values)


def _values(part: Any) -> dict[str, Any]:
    return {one.name: getattr(part, one.name) for one in fields(part)}


def _list(where: str, value: object) -> list[object]:
    if not isinstance(value, list):
        raise BadInput(where, value, f"is not a list of tables; write [[{where}]]")
    return value


def _chosen(where: str, key: str, kinds: Mapping[str, Callable[..., Any]], table: object) -> Any:
    values = _table(where, table)
    name = values.pop(key, None)
    if not isinstance(name, str) or name not in kinds:
        raise BadInput(f"{where}.{key}", name, f"is not one of {', '.join(sorted(kinds))}")
    return _part(where, kinds[name], values)


def _part(where: str, kind: Callable[..., _Part], table: object) -> _Part:
    """One dataclass out of one table: unknown, missing and mistyped keys are named."""
    values = _table(where, table)
    known = {one.name: one for one in fields(kind)}  # type: ignore[arg-type]
    for key, value in values.items():
        if key not in known:
            allowed = ", ".join(known) or "none"
            raise BadInput(_joined(where, key), value, f"is no known key here; known: {allowed}")
        _check_type(_joined(where, key), value, known[key].default)
    for key, one in known.items():
        if one.default is MISSING and one.default_factory is MISSING and key not in values:
            raise BadInput(_joined(where, key), None, "is missing")
    with _errors_at(where):
        return kind(**values)


def _check_type(where: str, value: object, default: object) -> None:
    """What a dataclass would let pass: a text where a switch or a name stands."""
    for kind, wording in ((bool, "true or false"), (str, "text")):
        if isinstance(default, kind) and not isinstance(value, kind):
            raise BadInput(where, value, f"is not {wording}")


def _table(where: str, value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise BadInput(where, value, f"is not a table; write [{where}]")
    return dict(value)


def _joined(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


@contextmanager
def _errors_at(where: str) -> Iterator[None]:
    try:
        yield
    except BadInput as error:
        raise BadInput(_joined(where, error.field), error.value, error.way_out) from None
