"""One JSON file for each session of an agent, in a folder: read whole, replaced whole, never torn.

It imports next to nothing on purpose: a hook reads such a file in the last milliseconds it has.
"""

import fcntl
import json
import os
from collections.abc import Callable
from zlib import crc32

TYPE_CHECKING = False  # as typing has it, which takes too long to import
if TYPE_CHECKING:
    from typing import Any

Json = dict[str, "Any"]
LOCK = ".lock"
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
LONGEST = 100
TURNS = 64  # files that sessions share for taking turns: few, and seldom in each other's way


def folder_of(store: str) -> str:
    """One for a store, by whichever name it is opened."""
    return f"{os.path.realpath(store)}.recollections"


def path_of(folder: str, session: str) -> str:
    """A session's name may hold anything; a file's name holds letters and digits only."""
    plain = "".join(one if one in PLAIN else f"~{ord(one):x}" for one in session) or "~"
    if len(plain) > LONGEST:
        plain = f"{plain[:LONGEST]}~~{crc32(session.encode('utf-8', 'surrogatepass')):08x}"
    return f"{folder}/{plain}.json"


def read(path: str) -> Json | None:
    """None where there is no such file, or none that can be understood."""
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123
            found = json.load(file)
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def turn_of(folder: str, session: str) -> int:
    """A descriptor that holds the session's turn until it is closed, or its process ends."""
    os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103
    shared = crc32(session.encode("utf-8", "surrogatepass")) % TURNS
    lock = os.open(f"{folder}/.turn{shared}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
    except BaseException:
        os.close(lock)
        raise
    return lock


def change(
    folder: str, session: str, change: Callable[[Json | None], Json], *, patient: bool = True
) -> Json:
    """Raises `BlockingIOError` where somebody else is writing and there is no patience."""
    os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103
    path = path_of(folder, session)
    with open(f"{folder}/{LOCK}", "a", encoding="utf-8") as lock:  # noqa: PTH123
        fcntl.flock(lock, fcntl.LOCK_EX | (0 if patient else fcntl.LOCK_NB))
        made = change(read(path))
        unfinished = f"{path}.new"
        try:
            with open(unfinished, "w", encoding="utf-8") as file:  # noqa: PTH123
                json.dump(made, file, ensure_ascii=False, indent=1)
            os.replace(unfinished, path)  # noqa: PTH105
        except OSError:  # no room, say: what was there stays
            os.unlink(unfinished)  # noqa: PTH108
            raise
    return made
