"""The config file, read and checked: unknown keys and wrong values are refused by their names."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from recollect.model.errors import BadInput
from recollect.model.query import whole_of
from recollect.stores import whereabouts

KEY_VARIABLE: Final = "QDRANT_API_KEY"
_TEXT: Final = "a text in quotes"
KNOWN: Final[Mapping[str, Mapping[str, tuple[int, int] | str]]] = {
    "store": {"url": _TEXT, "replica": _TEXT},
    "vectors": {
        "url": _TEXT,
        "api_key_env": _TEXT,
        "api_key": _TEXT,
        "prefix": _TEXT,
        "timeout": (1, 600),
        "shards": (1, 10_000),
        "replicas": (1, 100),
        "exact_below": (0, 1_000_000_000),
    },
}
"""Every table and key, with what a value must be: text, or a whole number within these bounds."""


@dataclass(frozen=True, slots=True)
class Config:
    """What the file says, table by table; both are empty where there is no file."""

    store: Mapping[str, Any] = field(default_factory=dict, repr=False)
    vectors: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def tables(self) -> dict[str, Any]:
        return {"store": dict(self.store), "vectors": dict(self.vectors)}


def load_config() -> Config:
    path = whereabouts.config_path()
    try:
        said = whereabouts.read_config()
    except OSError as error:
        raise BadInput("config", path, f"cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise BadInput("config", path, f"cannot be understood: {error}") from error
    return config_of(said)


def config_of(said: Mapping[str, Any]) -> Config:
    for name, table in said.items():
        if name not in KNOWN:
            raise BadInput("config", f"[{name}]", f"is not known; known: {', '.join(KNOWN)}")
        if not isinstance(table, dict):
            raise BadInput("config", name, f"is no table; write [{name}] on a line of its own")
        for key, value in table.items():
            _check(name, key, value)
    return Config(said.get("store", {}), said.get("vectors", {}))


def api_key(vectors: Mapping[str, Any]) -> str | None:
    """From the variable that is named, which must be there then; else from the usual one."""
    if "api_key" in vectors:
        return str(vectors["api_key"])
    named = vectors.get("api_key_env")
    if named is not None and not os.environ.get(named):
        raise BadInput("vectors.api_key_env", named, "is no variable that is set")
    return os.environ.get(named or KEY_VARIABLE) or None


def _check(table: str, key: str, value: object) -> None:
    field_name = f"config.{table}.{key}"
    wanted = KNOWN[table].get(key)
    if wanted is None:
        known = ", ".join(KNOWN[table])
        raise BadInput("config", f"{table}.{key}", f"is not known; known: {known}")
    if not isinstance(wanted, str):
        whole_of(field_name, value, low=wanted[0], high=wanted[1])
    elif not isinstance(value, str) or not value:
        shown = "…" if key == "api_key" else value
        raise BadInput(field_name, shown, f"is not {wanted}")
