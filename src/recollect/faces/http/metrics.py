"""Counters and histograms in, Prometheus' text format out. Safe to use from any thread."""

import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

from recollect.faces.http.told_status import (
    DegradedCount,
    LegLatency,
    RequestCount,
    RouteLatency,
    Summary,
)
from recollect.model.answer import Answer

BUCKETS: Final = (
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    5.0,
    10.0,
    30.0,
    60.0,
)
Labels = tuple[tuple[str, str], ...]


class Histogram:
    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        at = next((at for at, bound in enumerate(BUCKETS) if seconds <= bound), len(BUCKETS))
        self.counts[at] += 1
        self.total += seconds

    def quantile(self, share: float) -> float | None:
        """The upper bound of the bucket that holds this share; None while nothing was observed."""
        wanted, seen = share * sum(self.counts), 0
        for count, bound in zip(self.counts, (*BUCKETS, float("inf")), strict=True):
            seen += count
            if count and seen >= wanted:
                return min(bound, BUCKETS[-1])
        return None

    def percentiles(self) -> dict[str, Any]:
        found = {f"p{share}_ms": self.quantile(share / 100) for share in (50, 95, 99)}
        told = {name: None if at is None else at * 1000 for name, at in found.items()}
        return {"count": sum(self.counts), **told}


class Metrics:
    def __init__(self) -> None:
        self._changing = threading.Lock()
        self._requests: defaultdict[Labels, int] = defaultdict(int)
        self._latency: defaultdict[Labels, Histogram] = defaultdict(Histogram)
        self._legs: defaultdict[Labels, Histogram] = defaultdict(Histogram)
        self._degraded: defaultdict[Labels, int] = defaultdict(int)
        self._whys: dict[Labels, str] = {}

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        own = (("method", method), ("route", route))
        with self._changing:
            self._requests[(*own, ("status", str(status)))] += 1
            self._latency[own].observe(seconds)

    def answer(self, answer: Answer) -> None:
        with self._changing:
            for leg, ms in answer.trace.leg_ms.items():
                self._legs[(("leg", leg),)].observe(ms / 1000)
            for one in answer.degraded:
                own = (("part", one.part), ("code", one.code))
                self._degraded[own] += 1
                self._whys[own] = one.why

    def summary(self) -> Summary:
        """What a person wants to know at a glance, in milliseconds and counts."""
        with self._changing:
            return Summary(
                requests=[
                    RequestCount(**dict(key), count=n) for key, n in sorted(self._requests.items())
                ],
                latency=[
                    RouteLatency.model_validate({**dict(key), **own.percentiles()})
                    for key, own in sorted(self._latency.items())
                ],
                legs=[
                    LegLatency.model_validate({**dict(key), **own.percentiles()})
                    for key, own in sorted(self._legs.items())
                ],
                degraded=[
                    DegradedCount(**dict(key), count=n, why=self._whys[key])
                    for key, n in sorted(self._degraded.items())
                ],
            )

    def text(self, gauges: Mapping[str, float]) -> str:
        with self._changing:
            return "\n".join([*self._lines(gauges), ""])

    def _lines(self, gauges: Mapping[str, float]) -> Iterator[str]:
        yield from _counters("recollect_requests_total", "Requests answered.", self._requests)
        yield from _counters(
            "recollect_degraded_total", "What answers did without.", self._degraded
        )
        yield from _histograms("recollect_request_seconds", "Time per request.", self._latency)
        yield from _histograms("recollect_leg_seconds", "Time per leg of a search.", self._legs)
        for name, value in gauges.items():
            yield f"# TYPE recollect_{name} gauge"
            yield f"recollect_{name} {value:g}"


def _counters(name: str, about: str, found: Mapping[Labels, int]) -> Iterator[str]:
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} counter"
    for labels, count in sorted(found.items()):
        yield f"{name}{_labelled(labels)} {count}"


def _histograms(name: str, about: str, found: Mapping[Labels, Histogram]) -> Iterator[str]:
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} histogram"
    for labels, own in sorted(found.items()):
        seen = 0
        for count, bound in zip(own.counts, (*map(str, BUCKETS), "+Inf"), strict=True):
            seen += count
            yield f"{name}_bucket{_labelled((*labels, ('le', bound)))} {seen}"
        yield f"{name}_sum{_labelled(labels)} {own.total:.6f}"
        yield f"{name}_count{_labelled(labels)} {seen}"


def _labelled(labels: Labels) -> str:
    inside = ",".join(f'{name}="{_escaped(value)}"' for name, value in labels)
    return f"{{{inside}}}" if inside else ""


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
