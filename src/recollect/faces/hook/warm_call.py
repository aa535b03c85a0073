"""Asking the warm process; starting it where there is none. Imports next to nothing.

Whoever holds the lock file is the warm process, or is about to be: the hook that starts one takes the
lock first and leaves it to the new process, so that there are never two, and the system frees the
lock however that process ends.

A conversation: one line of JSON with the event, one line of JSON with what to say, and one byte once
it has been said. Without that byte nothing was.
"""

import _socket as socket  # without the enumerations that make `socket` slow to import
import fcntl
import json
import os
import sys
import time
from collections.abc import Callable

from recollect.faces.hook.places import Meant, Places
from recollect.faces.hook.wishes import Wishes

PAUSE = 0.005  # seconds until a process that is starting is tried again
ARRIVED = b"+"
DROPPED = (
    3  # conversations that may end without a word: a process that leaves, not one that is broken
)
GONE = (FileNotFoundError, ConnectionRefusedError)
SETTINGS = {
    "OPENBLAS_NUM_THREADS": "1",
    # one pool of memory for all threads: each one's own is never given back
    "MALLOC_ARENA_MAX": "1",
}

TYPE_CHECKING = False  # as typing has it, which takes too long to import
if TYPE_CHECKING:
    from typing import Any

Spoken = dict[str, str]
Say = Callable[[Spoken], bool]


def ask_warm(event: "dict[str, Any]", wishes: Wishes, meant: Meant, say: Say) -> bool:
    """Says what the warm process says; False where none can be had."""
    try:
        places = Places(meant)
        places.enter()
        request = request_of(event, wishes, meant)
        started, dropped = False, 0
        while dropped < DROPPED:
            try:
                _converse(places.socket, request, say)
            except GONE:
                lock = _free(places.lock)
            except (ConnectionError, EOFError):
                lock, dropped = _free(places.lock), dropped + 1
            else:
                return True
            if lock is not None and started:  # it was started and has ended
                os.close(lock)
                return False
            if lock is not None:
                started = True
                _start(places, wishes, meant, lock)
                os.close(lock)
            time.sleep(PAUSE)
    except (OSError, ValueError):
        return False
    return False


def request_of(event: "dict[str, Any]", wishes: Wishes, meant: Meant) -> bytes:
    asked = {"event": event, "wishes": vars(wishes), "vectors": meant.vectors}
    return json.dumps(asked).encode() + b"\n"


def _converse(path: str, request: bytes, say: Say) -> None:
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        line.connect(path)
        exchange(line, request, say)
    finally:
        line.close()


def exchange(line: socket.socket, request: bytes, say: Say) -> None:
    line.sendall(request)
    if say(json.loads(line_from(line))):
        _confirm(line)


def _confirm(line: socket.socket) -> None:
    try:
        line.sendall(ARRIVED)
    except OSError as error:  # it was said all the same; it may be said again
        print(f"recollect hook: {error}", file=sys.stderr)


def line_from(line: socket.socket) -> bytes:
    parts = []
    while part := line.recv(65536):
        parts.append(part)
        if part.endswith(b"\n"):
            return b"".join(parts)
    raise EOFError("the other side has left")


def _free(path: str) -> int | None:
    """The lock, if nobody else holds it."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock


def _start(places: Places, wishes: Wishes, meant: Meant, lock: int) -> None:
    os.set_inheritable(lock, True)  # noqa: FBT003
    log = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    words = ["--shown", meant.shown, "--model", wishes.model, "--idle", str(wishes.idle)]
    os.posix_spawn(
        sys.executable,
        # -P: the folder an agent works in must not be searched for modules
        [
            sys.executable,
            "-P",
            "-m",
            "recollect.faces.hook.warm",
            *words,
            "--lock",
            str(lock),
        ],
        {**SETTINGS, **os.environ, **meant.environment()},
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, places.log, log, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
        setsid=True,
    )
