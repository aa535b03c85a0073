"""What the service says of itself."""

from typing import Annotated

from pydantic import Field

from recollect.faces.http.told import Amount, Told
from recollect.model.inventory import Level

Milliseconds = Annotated[float, Field(ge=0)] | None
"""The upper bound of the bucket that holds this share; null while nothing was observed."""


class RequestCount(Told):
    method: str
    route: str
    status: str
    count: Amount


class RouteLatency(Told):
    method: str
    route: str
    count: Amount
    p50_ms: Milliseconds
    p95_ms: Milliseconds
    p99_ms: Milliseconds


class LegLatency(Told):
    leg: str
    count: Amount
    p50_ms: Milliseconds
    p95_ms: Milliseconds
    p99_ms: Milliseconds


class DegradedCount(Told):
    part: str
    code: str
    count: Amount
    why: str
    """As the last answer of this kind told it."""


class Summary(Told):
    """Of this process, since it started."""

    requests: list[RequestCount]
    latency: list[RouteLatency]
    legs: list[LegLatency]
    degraded: list[DegradedCount]


class ModelTold(Told):
    identity: str
    dimensions: Amount
    embedded: Amount


class StatusTold(Told):
    spaces: list[str]
    notes: Amount
    passages: Amount
    links_resolved: Amount
    links_unresolved: Amount
    models: list[ModelTold]
    store_bytes: Amount
    index_bytes: Amount
    serving: str | None
    """The model that answers; null: search goes by words alone."""
    weak: bool
    successor: str | None
    """The model that passages are embedded with; once it covers them, it answers."""
    waiting: Amount
    """Passages without a vector of it yet."""
    folders: dict[str, str]
    embedding_failure: str | None
    service: Summary


class FindingTold(Told):
    level: Level
    what: str
    way_out: str


class FindingsTold(Told):
    findings: list[FindingTold]


class RecipeTold(Told):
    name: str
    about: str
    legs: dict[str, float]
    fusion: dict[str, str | float]
    """The method, and the numbers that are its own."""
    adjustments: list[str]
    limit: Amount


class RecipesTold(Told):
    recipes: list[RecipeTold]
