"""An address and a question as JSON in, the answer as JSON out; patient, but within bounds.

Redirects are not followed: the key goes to the address it was given for, and nowhere else. It is
read from the environment when it is needed, and kept out of every message.
"""

import json
import os
import time
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlsplit

from recollect.model.errors import BadInput, EncoderError

ATTEMPTS = 4
FIRST_WAIT = 0.5  # seconds before the second attempt; each later wait is twice as long
LONGEST_WAIT = 30.0  # seconds; a server that asks for more is taken at its word and left alone
SHOWN = 200  # characters of an answer in an error


class Reply(NamedTuple):
    status: int
    retry_after: str | None
    body: bytes


class Wire:
    """`key_variable` names the environment variable that holds the key, if one is needed."""

    def __init__(
        self,
        address: str,
        key_variable: str | None = None,
        timeout: float = 30.0,
        sleep: Callable[[float], None] = time.sleep,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        self._parts = _parts(address)
        self._key_variable = key_variable
        self._timeout = timeout
        self._sleep = sleep
        self._environment = environment

    def __repr__(self) -> str:
        return f"Wire({self.address!r})"

    @property
    def address(self) -> str:
        return self._parts.geturl()

    def post(self, path: str, question: Mapping[str, Any]) -> Any:
        """The answer, after a few attempts if the server is busy, failing or out of reach."""
        body = json.dumps(question).encode()
        failure = ""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                reply = self._send(path, body)
            except (OSError, HTTPException) as broken:
                failure, wait = self._hidden(str(broken) or type(broken).__name__), None
            else:
                if reply.status == 200:
                    return self._parsed(path, reply.body)
                failure, wait = self._described(reply), _seconds(reply.retry_after)
                if not _passing(reply.status):
                    raise EncoderError(f"{self._place(path)} refused: {failure}")
            wait = FIRST_WAIT * 2 ** (attempt - 1) if wait is None else wait
            if wait > LONGEST_WAIT:
                raise EncoderError(
                    f"{self._place(path)} asks to wait {wait:.0f} s: {failure}; try again later"
                )
            if attempt < ATTEMPTS:
                self._sleep(wait)
        raise EncoderError(f"{self._place(path)} failed {ATTEMPTS} times: {failure}")

    def _send(self, path: str, body: bytes) -> Reply:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key := self._key():
            headers["Authorization"] = f"Bearer {key}"
        query = f"?{self._parts.query}" if self._parts.query else ""
        kind = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
        connection = kind(self._parts.hostname or "", self._parts.port, timeout=self._timeout)
        try:
            connection.request("POST", self._parts.path + path + query, body, headers)
            response = connection.getresponse()
            return Reply(response.status, response.getheader("Retry-After"), response.read())
        finally:
            connection.close()

    def _key(self) -> str:
        if self._key_variable is None:
            return ""
        key = self._environment.get(self._key_variable, "").strip()
        if not key:
            raise EncoderError(
                f"the key for {self.address} is read from ${self._key_variable}, which is not set"
            )
        if not (key.isascii() and key.isprintable()):
            raise EncoderError(f"${self._key_variable} holds something that cannot be a key")
        return key

    def _parsed(self, path: str, body: bytes) -> Any:
        try:
            return json.loads(body)
        except ValueError as broken:
            shown = self._hidden(body.decode(errors="replace"))
            raise EncoderError(f"{self._place(path)} answered no JSON: {shown!r}") from broken

    def _described(self, reply: Reply) -> str:
        text = self._hidden(reply.body.decode(errors="replace").strip())
        hint = f"; check ${self._key_variable}" if reply.status in (401, 403) else ""
        return f"status {reply.status} {text}".rstrip() + (hint if self._key_variable else "")

    def _hidden(self, text: str) -> str:
        """The text without the key, which some servers repeat, and no longer than a line or two."""
        key = self._key()
        return (text.replace(key, "***") if key else text)[:SHOWN]

    def _place(self, path: str) -> str:
        return f"{self._parts.scheme}://{self._parts.netloc}{self._parts.path}{path}"


def _parts(address: str) -> SplitResult:
    parts = urlsplit(address)
    if parts.username is not None or parts.password is not None:
        bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
        raise BadInput("address", bare, "carries a name or password; name the key's variable")
    try:
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # a port that is no number
        sound = False
    if not sound:
        raise BadInput("address", address, "must look like https://host/v1")
    return parts._replace(path=parts.path.rstrip("/"), fragment="")


def _passing(status: int) -> bool:
    return status == 429 or status >= 500


def _seconds(retry_after: str | None) -> float | None:
    """Retry-After may also be a date; then, as without one, the usual wait serves."""
    try:
        return max(0.0, float(retry_after)) if retry_after else None
    except ValueError:
        return None
