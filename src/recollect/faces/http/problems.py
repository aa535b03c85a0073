"""Everything that can go wrong in, one problem document (RFC 9457) out. The one place that maps it."""

import json
import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match, Route

from recollect.model.errors import BadInput, NotFound, RecollectError

MEDIA_TYPE: Final = "application/problem+json"
BOUNDS: Final = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
log = logging.getLogger("recollect.http")


class Conflict(RecollectError):
    """What is asked for cannot be done to this thing as it is."""


class Refused(RecollectError):
    """Who asks may not do this."""

    def __init__(self, status: int, why: str) -> None:
        self.status = status
        super().__init__(why)


class Problem(BaseModel):
    """What went wrong, by RFC 9457; `field` names the bad field and `errors` every one of them."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    field: str | None = None
    errors: list[dict[str, str]] | None = None


_HEADERS: Final = {
    401: {"WWW-Authenticate": {"schema": {"type": "string"}}},
    429: {"Retry-After": {"schema": {"type": "integer"}, "description": "seconds"}},
}


def _documented(status: int) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    told = {"description": HTTPStatus(status).phrase, "content": {MEDIA_TYPE: {"schema": schema}}}
    return told | ({"headers": _HEADERS[status]} if status in _HEADERS else {})


DOCUMENTED: Final[dict[int | str, dict[str, Any]]] = {
    status: _documented(status)
    for status in (400, 401, 403, 404, 409, 413, 421, 422, 429, 500, 503, 504)
}


def problem(
    status: int,
    detail: str,
    *,
    field: str | None = None,
    errors: list[dict[str, str]] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    shape = Problem(
        title=HTTPStatus(status).phrase, status=status, detail=detail, field=field, errors=errors
    )
    # escaped: a detail may quote what no encoding can hold
    body = json.dumps(shape.model_dump(exclude_none=True))
    return Response(body, status, dict(headers or {}), MEDIA_TYPE)


def answer_problems(app: FastAPI) -> None:
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RecollectError, _ours)
    app.add_exception_handler(Exception, _unforeseen)


def status_of(error: RecollectError) -> int:
    if isinstance(error, Refused):
        return error.status
    for kind, status in ((BadInput, 422), (NotFound, 404), (Conflict, 409)):
        if isinstance(error, kind):
            return status
    return 503


async def _ours(_: Request, error: Exception) -> Response:
    if not isinstance(error, RecollectError):
        raise error
    status = status_of(error)
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    field = error.field if isinstance(error, BadInput) else None
    return problem(status, str(error), field=field, headers=headers)


async def _invalid(_: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    errors = [_one(found) for found in error.errors()]
    first = errors[0]
    told = f"{first['field']}: {first['detail']}" if first["field"] else first["detail"]
    return problem(422, told, field=first["field"], errors=errors)


def _one(found: Mapping[str, Any]) -> dict[str, str]:
    place, *inside = found["loc"]
    # a place in malformed JSON is a number of characters, not a field
    field = str(place) if found["type"] == "json_invalid" else ".".join(map(str, inside))
    told = found.get("ctx", {})
    if found["type"] == "extra_forbidden":
        return {"field": field, "detail": "is not known here; nothing was changed"}
    if isinstance(told.get("error"), BadInput):
        return {"field": field, "detail": f"{told['error'].value!r} {told['error'].way_out}"}
    bounds = [f"{words} {told[key]}" for key, words in BOUNDS.items() if key in told]
    allowed = f" (allowed: {', '.join(bounds)})" if bounds else ""
    return {"field": field or str(place), "detail": found["msg"] + allowed}


async def _http(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    headers = dict(error.headers or {})
    if error.status_code == 405:
        headers["Allow"] = ", ".join(sorted(_methods(request)))
    return problem(error.status_code, str(error.detail), headers=headers)


def _methods(request: Request) -> set[str]:
    """All that this address knows, whichever of its routes was looked at first."""
    own = (
        route.methods or set()
        for route in request.app.routes
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE
    )
    return {method for methods in own for method in methods}


async def _unforeseen(_: Request, error: Exception) -> Response:
    """No trace of the program to a client; the log has its kind and where it came from."""
    log.error("unforeseen", exc_info=error)
    return problem(500, "something broke on the server; its log tells more")
