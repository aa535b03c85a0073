"""What stands before the service: who is called, from where, how often, how much, for how long.

Plain ASGI, so that a request is refused before a byte of it is parsed.
"""

import asyncio
import ipaddress
import time
from collections import OrderedDict
from collections.abc import Iterable, MutableMapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.faces.http.problems import problem

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_CLIENTS: Final = 10_000  # that are remembered; one not seen for long has a full bucket anyway


@dataclass(frozen=True, slots=True)
class Limits:
    body_bytes: int = 8 * 1024 * 1024
    per_second: float = 200.0
    """Requests of one client on average; 0: no limit."""
    burst: int = 400
    timeout_seconds: float = 60.0


def is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Hosts:
    """Refuses a request that was meant for another host, or comes from another site's page.

    A page of another site that made its own name lead here (DNS rebinding) still sends that name.
    """

    def __init__(self, app: ASGIApp, allowed: Iterable[str]) -> None:
        self._app = app
        self._allowed = LOOPBACK | frozenset(name.lower().strip("[]") for name in allowed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (refused := self._refused(Headers(scope=scope))):
            await refused(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refused(self, headers: Headers) -> Response | None:
        host = headers.get("host", "")
        if _name(f"//{host}") not in self._allowed:
            return problem(421, "this service does not answer to that host; see --allow-host")
        origin = headers.get("origin")
        if origin is not None and urlsplit_or_none(origin) != host.lower():
            return problem(403, "a page of another site may not ask here")
        return None


def urlsplit_or_none(address: str) -> str | None:
    try:
        return urlsplit(address).netloc.lower()
    except ValueError:
        return None


def _name(address: str) -> str | None:
    try:
        return (urlsplit(address).hostname or "").lower()
    except ValueError:
        return None


class Rate:
    """A bucket for each client: so many requests a second, some saved up."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._limits = limits
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or self._limits.per_second <= 0 or self._admitted(scope):
            await self._app(scope, receive, send)
            return
        wait = max(1, round(1 / self._limits.per_second))
        refused = problem(
            429,
            f"more than {self._limits.per_second:g} requests a second; try again in {wait} s",
            headers={"Retry-After": str(wait)},
        )
        await refused(scope, receive, send)

    def _admitted(self, scope: Scope) -> bool:
        client = (scope.get("client") or ("unknown",))[0]
        now = time.monotonic()
        saved, last = self._buckets.get(client, (float(self._limits.burst), now))
        saved = min(float(self._limits.burst), saved + (now - last) * self._limits.per_second)
        admitted = saved >= 1
        self._buckets[client] = (saved - 1 if admitted else saved, now)
        self._buckets.move_to_end(client)
        if len(self._buckets) > _CLIENTS:
            self._buckets.popitem(last=False)
        return admitted


class BodySize:
    """Stops reading a body that is too long, whatever its header said."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._most = limits.body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        told = Headers(scope=scope).get("content-length", "0")
        why = f"the body is longer than {self._most} bytes; send it in parts"
        if told.isdigit() and int(told) > self._most:
            await problem(413, why)(scope, receive, send)
            return
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self._most:
                raise HTTPException(413, why)
            return message

        await self._app(scope, counted, send)


class Deadline:
    """Answers for a request that takes too long. A write under way is not torn: it ends by itself,
    and its outcome is simply not told."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._seconds = limits.timeout_seconds
        self._left_behind: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        state: MutableMapping[str, Any] = {"began": False, "late": False}

        async def sent(message: Message) -> None:
            if not state["late"]:
                state["began"] = True
                await send(message)

        task = asyncio.create_task(self._run(scope, receive, sent))
        done, _ = await asyncio.wait({task}, timeout=self._seconds)
        if done:
            await task
            return
        self._left_behind.add(task)
        task.add_done_callback(self._left_behind.discard)
        if not state["began"]:
            state["late"] = True
            late = problem(504, f"no answer within {self._seconds:g} s; its outcome is not known")
            await late(scope, receive, send)

    async def _run(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)
