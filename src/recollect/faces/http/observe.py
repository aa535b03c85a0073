"""Every answer is counted, timed and logged as one line of JSON, without a word of any note or query.

It also carries the headers that hold for every answer.
"""

import json
import logging
import sys
import time
import uuid
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.faces.http.metrics import Metrics

log = logging.getLogger("recollect.http")

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""Nothing is loaded from anywhere else and no inline script runs, whatever a note says."""

HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Observe:
    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status, request_id = time.perf_counter(), 500, uuid.uuid4().hex[:16]

        async def marked(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = request_id
                headers.setdefault("Cache-Control", "no-store")
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        try:
            await self._app(scope, receive, marked)
        finally:
            seconds = time.perf_counter() - began
            route = _route(scope)
            self._metrics.request(scope["method"], route, status, seconds)
            told = {"request": request_id, "method": scope["method"], "route": route}
            log.info("answered", extra={"told": told | {"status": status, "ms": seconds * 1000}})


def _route(scope: Scope) -> str:
    """As it is declared, not as it was asked for: an address may hold what nobody should log."""
    declared = str(getattr(scope.get("route"), "path", ""))
    return declared or ("/web" if scope["path"].startswith("/web/") else "unknown")


class Lines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(record.created))}Z",
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **getattr(record, "told", {}),
        }
        if record.exc_info and record.exc_info[0]:
            told |= {"error": record.exc_info[0].__name__, "at": _origin(record)}
        return json.dumps(told)


def _origin(record: logging.LogRecord) -> list[str]:
    """Where it came from, frame by frame; not what it said, which may quote a note."""
    trace = record.exc_info[2] if record.exc_info else None
    frames = []
    while trace is not None:
        frames.append(f"{trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}")
        trace = trace.tb_next
    return frames[-8:]


def log_as_json(level: str = "info") -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    for name in ("recollect", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level.upper())
