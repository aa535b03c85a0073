"""The line to Qdrant: calls in, answers or a StoreError out, within a bounded time.

The client is imported and made when it is first needed: importing it takes most of a second. After a
call that got no answer the line rests for a moment, so that a server that hangs is not waited for by
every search and every write in turn.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

from recollect.model.errors import StoreError, VectorsAway
from recollect.stores.qdrant_address import MEMORY, QdrantAddress

if TYPE_CHECKING:
    from qdrant_client import QdrantClient

REST_SECONDS: Final = 2.0
_REFUSED: Final = (401, 403)
_NOT_THERE: Final = 404

_Answer = TypeVar("_Answer")


class NotThere(VectorsAway):
    """A collection that should be there is not."""


class Line:
    def __init__(self, address: QdrantAddress, rest_seconds: float = REST_SECONDS) -> None:
        self.address = address
        self._rest_seconds = rest_seconds
        self._client: QdrantClient | None = None
        self._making = threading.Lock()
        self._turn = threading.RLock()
        self._resting_until = 0.0
        self._trouble = ""

    def call(self, work: "Callable[[QdrantClient], _Answer]") -> _Answer:
        self._check_rest()
        client = self._made()
        try:
            with self._own_turn():
                answer = work(client)
        except Exception as error:
            raise self._told(error) from error
        self._resting_until = 0.0
        return answer

    def close(self) -> None:
        with self._making:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    @contextmanager
    def _own_turn(self) -> Iterator[None]:
        """The client's local mode is made for one thread at a time."""
        if self.address.remote:
            yield
        else:
            with self._turn:
                yield

    def _check_rest(self) -> None:
        left = self._resting_until - time.monotonic()
        if left > 0:
            raise VectorsAway(f"{self._trouble}; asked again in {left:.1f} s")

    def _made(self) -> "QdrantClient":
        with self._making:
            if self._client is None:
                self._client = _connected(self.address)
            return self._client

    def _told(self, error: Exception) -> StoreError:
        """What the matter is; the line rests where Qdrant gave no answer it can be held to."""
        status = getattr(error, "status_code", None)
        place = f"Qdrant at {self.address.shown}"
        if isinstance(error, StoreError):
            return error
        if status == _NOT_THERE or (not self.address.remote and "not found" in str(error)):
            return NotThere(f"{place} does not have it: {_short(error)}")
        if status in _REFUSED:
            return VectorsAway(
                f"{place} refuses the API key (vectors.api_key_env names its variable)"
            )
        self._trouble = f"{place} gave no answer: {_short(error)}"
        if self.address.remote and (status is None or status >= 500):
            self._resting_until = time.monotonic() + self._rest_seconds
        return VectorsAway(self._trouble)


def _connected(address: QdrantAddress) -> "QdrantClient":
    from qdrant_client import QdrantClient

    if address.remote:
        # as a header: given as a key, the client would warn on standard error about http
        headers = {"api-key": address.api_key} if address.api_key else None
        return QdrantClient(
            url=address.url, timeout=address.timeout, headers=headers, check_compatibility=False
        )
    try:
        if address.url == MEMORY:
            return QdrantClient(location=MEMORY, force_disable_check_same_thread=True)
        return QdrantClient(path=address.url, force_disable_check_same_thread=True)
    except (RuntimeError, OSError) as error:
        raise VectorsAway(
            f"Qdrant's folder {address.url} cannot be opened: {_short(error)}"
        ) from error


def _short(error: Exception) -> str:
    source = getattr(error, "source", None) or error
    reason = getattr(error, "reason_phrase", None)
    said = str(source) if reason is None else f"{getattr(error, 'status_code', '')} {reason}"
    text = " ".join(said.split()) or type(source).__name__
    return text if len(text) <= 200 else f"{text[:200]}…"
