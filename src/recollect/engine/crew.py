"""Legs side by side where one may wait, in turn where none may; late and broken ones left behind.

Threads are daemons: a leg that missed its deadline holds up neither the answer nor the exit.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

from recollect.model.answer import Degradation, Degraded
from recollect.model.errors import BadInput, NotReady
from recollect.ports import Clock, Ports

_Found = TypeVar("_Found")


class Errand(Generic[_Found]):
    """One piece of work under way: its outcome, and how long it took."""

    def __init__(self, part: str) -> None:
        self.part = part
        self.outcome: Future[_Found] = Future()
        self.ms = 0.0

    def run(self, work: Callable[[], _Found], clock: Clock) -> None:
        began = clock.seconds()
        try:
            found = work()
        except Exception as error:  # whatever broke is named in `degraded`
            self.ms = (clock.seconds() - began) * 1000
            self.outcome.set_exception(error)
        else:
            self.ms = (clock.seconds() - began) * 1000
            self.outcome.set_result(found)


class Crew:
    """Starts errands and collects them before the deadline; `degraded` names what was left out."""

    def __init__(self, clock: Clock, deadline_ms: float | None, *, side_by_side: bool) -> None:
        self.degraded: list[Degradation] = []
        self.ms: dict[str, float] = {}
        self.failures: dict[str, Exception] = {}
        self._clock = clock
        self._budget_ms = deadline_ms
        self._ends = None if deadline_ms is None else clock.seconds() + deadline_ms / 1000
        self._threaded = side_by_side or deadline_ms is not None

    def start(self, part: str, work: Callable[[], _Found]) -> Errand[_Found]:
        errand: Errand[_Found] = Errand(part)
        if self._threaded:
            threading.Thread(
                target=errand.run, args=(work, self._clock), name=f"recollect-{part}", daemon=True
            ).start()
        else:
            errand.run(work, self._clock)
        return errand

    def collect(self, errand: Errand[_Found]) -> _Found | None:
        """What the errand brought, or None with the reason noted. Bad input is never swallowed."""
        try:
            found = errand.outcome.result(timeout=self._left())
        except TimeoutError as error:
            if errand.outcome.done() and errand.outcome.exception() is error:
                self._fail(errand, error)
            else:
                self.note(errand.part, "late", f"no answer within {self._budget_ms:g} ms")
            return None
        except BadInput:
            raise
        except Exception as error:  # whatever broke is named in `degraded`
            self._fail(errand, error)
            return None
        self._count(errand)
        return found

    def note(self, part: str, code: Degraded, why: str) -> None:
        self.degraded.append(Degradation(part, code, why))

    def _fail(self, errand: Errand[_Found], error: Exception) -> None:
        self._count(errand)
        self.failures[errand.part] = error
        code: Degraded = "warming" if isinstance(error, NotReady) else "failed"
        self.note(errand.part, code, f"{type(error).__name__}: {error}")

    def _count(self, errand: Errand[_Found]) -> None:
        self.ms[errand.part] = self.ms.get(errand.part, 0.0) + errand.ms

    def _left(self) -> float | None:
        return None if self._ends is None else max(0.0, self._ends - self._clock.seconds())


def may_wait(ports: Ports) -> bool:
    """Whether any part of this search may wait on something outside the process."""
    waiting = (ports.words, ports.vectors, ports.embedder, ports.graph)
    return any(port is not None and port.may_wait for port in waiting)
