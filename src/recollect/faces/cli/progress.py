"""How far long work has come: a bar on a terminal, a plain line now and then elsewhere."""

import sys
import time
from types import TracebackType

WIDTH = 30
EVERY_SECONDS = 0.1
PLAIN_EVERY_SECONDS = 5.0


class Progress:
    """Counts up to a total; on standard error, so that results can be piped."""

    def __init__(self, label: str, total: int = 0, *, quiet: bool = False) -> None:
        self._label = label
        self._total = total
        self._quiet = quiet
        self._terminal = sys.stderr.isatty()
        self._done = 0
        self._began = self._shown = time.monotonic()

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._quiet and self._terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def step_of(self, count: int, total: int) -> None:
        """Where the total becomes known only with the first step."""
        self._total = total
        self.step(count)

    def step(self, count: int) -> None:
        self._done += count
        every = EVERY_SECONDS if self._terminal else PLAIN_EVERY_SECONDS
        moment = time.monotonic()
        if self._quiet or self._total <= 0 or moment - self._shown < every:
            return
        self._shown = moment
        sys.stderr.write(self._bar() if self._terminal else self._line() + "\n")
        sys.stderr.flush()

    def _bar(self) -> str:
        full = round(WIDTH * min(1.0, self._done / self._total))
        return f"\r\x1b[K{self._label} {'█' * full}{'░' * (WIDTH - full)} {self._numbers()}"

    def _line(self) -> str:
        return f"{self._label}: {self._numbers()}"

    def _numbers(self) -> str:
        rate = self._done / max(1e-9, time.monotonic() - self._began)
        return f"{self._done:,} of {self._total:,} · {rate:,.0f}/s"
