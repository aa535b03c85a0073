"""Asking the warm process; starting it where there is none. Imports next to nothing.

Whoever holds the lock file is the warm process, or is about to be: the hook that starts one takes the
lock first and leaves it to the new process, so that there are never two, and the system frees the
lock however that process ends.
"""

import fcntl
import json
import os
import socket
import sys
import time
from typing import Any

from recollect.faces.hook.places import Places
from recollect.faces.hook.wishes import Wishes

PAUSE = 0.005  # seconds until a process that is starting is tried again
REFUSED = "refused"


def ask_warm(event: dict[str, Any], wishes: Wishes, store: str) -> dict[str, str] | None:
    """What the warm process says; None where none can be had, or it has ended meanwhile."""
    try:
        places = Places(store, wishes.model)
        request = json.dumps({"event": event, "wishes": vars(wishes), "store": store}).encode()
        started = False
        while True:
            try:
                return _exchange(places.socket, request)
            except (FileNotFoundError, ConnectionRefusedError):
                lock = _free(places.lock)
            if lock is not None and started:  # it was started and has ended
                os.close(lock)
                return None
            if lock is not None:
                started = True
                _start(places, wishes, store, lock)
                os.close(lock)
            time.sleep(PAUSE)
    except (OSError, ValueError):
        return None


def _exchange(path: str, request: bytes) -> dict[str, str] | None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.connect(path)
        line.sendall(request)
        line.shutdown(socket.SHUT_WR)
        parts = []
        while part := line.recv(65536):
            parts.append(part)
    said = json.loads(b"".join(parts))
    return None if REFUSED in said else dict(said)


def _free(path: str) -> int | None:
    """The lock, if nobody else holds it."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock


def _start(places: Places, wishes: Wishes, store: str, lock: int) -> None:
    os.set_inheritable(lock, True)  # noqa: FBT003
    log = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    words = ["--store", store, "--model", wishes.model, "--lock", str(lock)]
    os.posix_spawn(
        sys.executable,
        # -P: the folder an agent works in must not be searched for modules
        [
            sys.executable,
            "-P",
            "-m",
            "recollect.faces.hook.warm",
            *words,
            "--idle",
            str(wishes.idle),
        ],
        {"OPENBLAS_NUM_THREADS": "1", **os.environ},
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, places.log, log, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
        setsid=True,
    )
