"""The text of a vault's `config.toml` in, checked values out. Pure.

A wrong value is refused with its key, itself and what is allowed; so is a key nobody knows, for a
setting with a typing error in it would otherwise be ignored without a word.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal

from recollect.ingest.chunk import OVERLAP, PIECES, Sizes
from recollect.model.errors import BadInput
from recollect.model.query import MAX_WEIGHT, number_of, one_of, whole_of

FusionAlgorithm = Literal["rrf", "weighted"]
LEGACY_LEXICAL_WEIGHT: Final = 0.5  # seed 003, current state: w_vec = 1.0, w_lex = 0.5
MEGABYTE: Final = 1_000_000
MANY_DAYS: Final = 36_500


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """Seed 003's `[retrieval]`, with its defaults, and a name for each of its other numbers."""

    fusion_algorithm: FusionAlgorithm = "rrf"
    rrf_k: int = 60
    vector_weight: float = 1.0
    lexical_weight: float = 1.0
    backlink_boost_weight: float = 0.1
    backlink_boost_cap: int = 10
    recency_boost_enabled: bool = True
    recency_fresh_days: int = 14
    recency_recent_days: int = 60
    recency_old_days: int = 180
    recency_fresh_boost: float = 1.20
    recency_recent_boost: float = 1.10
    recency_standard_boost: float = 1.00
    recency_older_boost: float = 0.95

    def __post_init__(self) -> None:
        days = (self.recency_fresh_days, self.recency_recent_days, self.recency_old_days)
        if not days[0] < days[1] < days[2]:
            raise BadInput(
                "retrieval.recency_fresh_days, recency_recent_days, recency_old_days",
                list(days),
                "do not rise from one to the next",
            )


@dataclass(frozen=True, slots=True)
class FolderSettings:
    """`[vault]`: what is read and how. An empty `include` means every file of a kind we read."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    link_style: Literal["auto", "obsidian", "dendron"] = "auto"
    passage_size: int = PIECES
    passage_overlap: int = OVERLAP
    max_file_megabytes: float = 10.0

    def __post_init__(self) -> None:
        if self.passage_overlap * 2 > self.passage_size:
            raise BadInput(
                "vault.passage_overlap",
                self.passage_overlap,
                f"is more than half of passage_size, {self.passage_size}",
            )

    @property
    def sizes(self) -> Sizes:
        return Sizes(self.passage_size, self.passage_overlap)

    @property
    def max_file_bytes(self) -> int:
        return int(self.max_file_megabytes * MEGABYTE)


@dataclass(frozen=True, slots=True)
class VaultConfig:
    retrieval: RetrievalSettings = field(default_factory=RetrievalSettings)
    vault: FolderSettings = field(default_factory=FolderSettings)


def config_of(text: str) -> VaultConfig:
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise BadInput("config.toml", str(problem), "is where it stops being TOML") from problem
    _refuse_unknown("", tables, {entry.name for entry in fields(VaultConfig)})
    retrieval = _checked("retrieval", tables, _RETRIEVAL)
    if retrieval.get("fusion_algorithm") == "weighted":
        retrieval.setdefault("lexical_weight", LEGACY_LEXICAL_WEIGHT)
    return VaultConfig(
        RetrievalSettings(**retrieval), FolderSettings(**_checked("vault", tables, _VAULT))
    )


Check = Callable[[str, object], Any]


def _whole(low: int, high: int) -> Check:
    return lambda key, value: whole_of(key, value, low=low, high=high)


def _number(low: float, high: float) -> Check:
    return lambda key, value: float(number_of(key, value, low=low, high=high))


def _choice(*allowed: str) -> Check:
    return lambda key, value: one_of(key, value, allowed)


def _switch(key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise BadInput(key, value, "is neither true nor false")
    return value


def _patterns(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(
        isinstance(one, str) and one.strip() for one in value
    ):
        raise BadInput(key, value, 'is no list of patterns, such as ["notes/**", "*.md"]')
    return tuple(value)


_RETRIEVAL: Final[Mapping[str, Check]] = {
    "fusion_algorithm": _choice("rrf", "weighted"),
    "rrf_k": _whole(1, 10_000),
    "vector_weight": _number(0, MAX_WEIGHT),
    "lexical_weight": _number(0, MAX_WEIGHT),
    "backlink_boost_weight": _number(0, 10),
    "backlink_boost_cap": _whole(0, 10_000),
    "recency_boost_enabled": _switch,
    "recency_fresh_days": _whole(1, MANY_DAYS),
    "recency_recent_days": _whole(1, MANY_DAYS),
    "recency_old_days": _whole(1, MANY_DAYS),
    "recency_fresh_boost": _number(0.01, 10),
    "recency_recent_boost": _number(0.01, 10),
    "recency_standard_boost": _number(0.01, 10),
    "recency_older_boost": _number(0.01, 10),
}

_VAULT: Final[Mapping[str, Check]] = {
    "include": _patterns,
    "exclude": _patterns,
    "link_style": _choice("auto", "obsidian", "dendron"),
    "passage_size": _whole(32, 8192),
    "passage_overlap": _whole(0, 4096),
    "max_file_megabytes": _number(0.001, 1000),
}


def _checked(name: str, tables: Mapping[str, Any], checks: Mapping[str, Check]) -> dict[str, Any]:
    table = tables.get(name, {})
    if not isinstance(table, dict):
        raise BadInput(name, table, f"is no table; write [{name}] on a line of its own")
    _refuse_unknown(f"{name}.", table, checks)
    return {key: checks[key](f"{name}.{key}", value) for key, value in table.items()}


def _refuse_unknown(prefix: str, table: Mapping[str, Any], known: Any) -> None:
    for key, value in table.items():
        if key not in known:
            raise BadInput(
                f"{prefix}{key}", value, f"is no setting; known: {', '.join(sorted(known))}"
            )
