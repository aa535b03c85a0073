"""One conversation of the warm process: an event in, what to say out, and whether it was said."""

import json
import socket
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from recollect.faces.hook.warm_call import ARRIVED, REFUSED, line_from

if TYPE_CHECKING:
    from recollect.faces.hook.answer import Said
    from recollect.open import Library

PATIENCE = 5.0  # seconds for a caller to say what it wants
GRACE = 1.0  # seconds after a hook's deadline within which it has left, unless it was held up

_embedding = threading.Lock()


def attend(line: socket.socket, store: str, library: Callable[[], "Library"]) -> None:
    from recollect.faces.hook.answer import Said, answer_event
    from recollect.model.errors import RecollectError

    line.settimeout(PATIENCE)
    request = json.loads(line_from(line))
    if not isinstance(request, dict) or request.get("store") != store:
        _send(line, {REFUSED: "another store"})
        return
    wishes = request["wishes"]

    def say(said: "Said") -> bool:
        return _arrives(line, said._asdict(), wishes["deadline_ms"] / 1000 + GRACE)

    try:
        opened = library()
    except RecollectError as error:
        say(Said(err=str(error)))
        return
    answer_event(request["event"], wishes, opened, say)
    line.close()  # the hook has left, and what comes now is nobody's to wait for
    _embed_what_waits(opened)


def _arrives(line: socket.socket, said: Mapping[str, Any], seconds: float) -> bool:
    """A hook that had to leave, or could not print, does not confirm."""
    try:
        line.settimeout(seconds)
        _send(line, said)
        return line.recv(len(ARRIVED)) == ARRIVED
    except OSError:
        return False


def _send(line: socket.socket, what: Mapping[str, Any]) -> None:
    line.sendall(json.dumps(what).encode() + b"\n")


def _embed_what_waits(library: "Library") -> None:
    """One at a time: whoever comes meanwhile leaves it to the one who is at it."""
    from recollect.faces.hook.capture import embed_queue

    if _embedding.acquire(blocking=False):
        try:
            embed_queue(library)
        finally:
            _embedding.release()
