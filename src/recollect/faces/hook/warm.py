"""The warm process: one store, its indexes and a model kept ready behind a Unix socket.

It is started by a hook, which hands it the lock it holds. It ends when nobody has asked for a while,
when its store or its socket is gone, or when it is told to; it leaves nothing behind but an empty
lock file and its log.
"""

import argparse
import json
import os
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect.faces.hook.places import Places
from recollect.faces.hook.warm_call import REFUSED

if TYPE_CHECKING:
    from recollect.open import Library

TICK = 0.5  # seconds between two looks at whether to stay
AT_ONCE = 4  # events worked on side by side; others wait their turn
WAITING = 128  # connections not yet taken up
PATIENCE = 5.0  # seconds for a caller to say what it wants


class Warm:
    def __init__(self, places: Places, store: str, model: str, idle: float) -> None:
        self._places = places
        self._store = store
        self._model = model
        self._idle = idle
        self._listener = _listening(places.socket)
        self._own = Path(places.socket).stat().st_ino
        self._leaving = False
        self._last = time.monotonic()
        self._busy = 0
        self._counting = threading.Lock()
        self._turns = threading.BoundedSemaphore(AT_ONCE)
        self._library: Library | None = None
        self._opening = threading.Lock()

    def serve(self) -> None:
        threading.Thread(target=self._warm_up, daemon=True).start()
        self._listener.settimeout(TICK)
        while not self._should_leave():
            with suppress(TimeoutError):
                line, _ = self._listener.accept()
                with self._counting:
                    self._busy += 1
                threading.Thread(target=self._attend, args=(line,), daemon=True).start()
        self._leave()

    def stop(self, *_: object) -> None:
        self._leaving = True

    def _should_leave(self) -> bool:
        with self._counting:
            idle = not self._busy and time.monotonic() - self._last > self._idle
        return self._leaving or idle or not self._is_wanted()

    def _is_wanted(self) -> bool:
        """A store or socket that was removed or replaced has no use for this process."""
        try:
            return (
                Path(self._places.socket).stat().st_ino == self._own and Path(self._store).exists()
            )
        except OSError:
            return False

    def _leave(self) -> None:
        self._listener.close()
        with suppress(OSError):
            if Path(self._places.socket).stat().st_ino == self._own:
                Path(self._places.socket).unlink()
        if self._library is not None:
            self._library.close()

    def _attend(self, line: socket.socket) -> None:
        try:
            with line, self._turns:
                self._answer(line)
        except Exception as error:  # one caller's trouble is not the next one's
            print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        finally:
            with self._counting:
                self._busy -= 1
                self._last = time.monotonic()

    def _answer(self, line: socket.socket) -> None:
        from recollect.faces.hook.answer import Said, answer_event, take_back
        from recollect.faces.hook.capture import embed_queue
        from recollect.model.errors import RecollectError

        request = _read(line)
        if request.get("store") != self._store:
            line.sendall(json.dumps({REFUSED: "another store"}).encode())
            return
        try:
            library = self._opened()
            said = answer_event(request["event"], request["wishes"], library)
        except RecollectError as error:
            line.sendall(json.dumps(Said(err=str(error))._asdict()).encode())
            return
        try:
            line.sendall(json.dumps(said._asdict()).encode())
        except OSError:  # the hook had to leave without it
            take_back(said, library)
        line.close()  # the hook waits for the end of what is said, not for what comes now
        embed_queue(library)

    def _opened(self) -> "Library":
        from recollect.open import open_library

        with self._opening:
            if self._library is None:
                model = None if self._model == "none" else self._model
                self._library = open_library(self._store, model=model, create=False)
            return self._library

    def _warm_up(self) -> None:
        """What the first prompt would wait for: imports, the model, the indexes."""
        from recollect.faces.hook.answer import warm_up

        try:
            warm_up(self._opened())
        except Exception as error:  # a prompt that needs it will say so
            print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)


def _listening(path: str) -> socket.socket:
    """The lock is ours, so a socket that is there already is a dead one's."""
    Path(path).unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen(WAITING)
    return listener


def _read(line: socket.socket) -> dict[str, Any]:
    line.settimeout(PATIENCE)
    parts = []
    while part := line.recv(65536):
        parts.append(part)
    found = json.loads(b"".join(parts))
    return found if isinstance(found, dict) else {}


def main() -> int:
    words = argparse.ArgumentParser(prog="recollect-warm")
    words.add_argument("--store", required=True)
    words.add_argument("--model", required=True)
    words.add_argument("--lock", required=True, type=int, help="a descriptor that holds the lock")
    words.add_argument("--idle", required=True, type=float, help="seconds")
    given = words.parse_args()
    os.fstat(given.lock)  # held for as long as this process lives
    os.set_inheritable(given.lock, False)  # noqa: FBT003
    os.chdir("/")
    warm = Warm(Places(given.store, given.model), given.store, given.model, given.idle)
    signal.signal(signal.SIGTERM, warm.stop)
    warm.serve()
    return 0


if __name__ == "__main__":
    sys.exit(main())
