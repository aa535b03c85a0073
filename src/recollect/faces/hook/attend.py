"""One conversation of the warm process: an event in, what to say out, and whether it was said."""

import json
import socket
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from recollect.faces.hook.warm_call import ARRIVED, line_from

if TYPE_CHECKING:
    from recollect.faces.hook.answer import Said
    from recollect.faces.hook.keeper import Keeper
    from recollect.open import Library

PATIENCE = 5.0  # seconds for a caller to say what it wants
GRACE = 1.0  # seconds after a hook's deadline within which it has left, unless it was held up

_embedding = threading.Lock()


def attend(line: socket.socket, keeper: "Keeper") -> None:
    """And embeds what waits for it, once the hook has left."""
    opened = answer_one(line, keeper)
    line.close()
    if opened is not None:
        _embed_what_waits(opened)


def answer_one(line: socket.socket, keeper: "Keeper") -> "Library | None":
    """The library that answered."""
    from recollect.faces.hook.answer import Said, answer_event
    from recollect.model.errors import RecollectError

    line.settimeout(PATIENCE)
    request = json.loads(line_from(line))
    wishes = request["wishes"]
    keeper.idle = wishes["idle"]

    def say(said: "Said") -> bool:
        return _arrives(line, said._asdict(), wishes["deadline_ms"] / 1000 + GRACE)

    try:
        opened = keeper.library(wishes["model"], request["vectors"])
    except RecollectError as error:
        say(Said(err=str(error)))
        return None
    answer_event(request["event"], wishes, opened, say)
    return opened


def tell_trouble(line: socket.socket, error: Exception) -> None:
    _send(line, {"out": "", "err": f"{type(error).__name__}: {error}"})


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
