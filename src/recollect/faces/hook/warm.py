"""The warm process: one store, its indexes and a model kept ready behind a Unix socket.

It is started by a hook, which hands it the lock it holds. It ends when nobody has asked for a while,
when its store, its socket or its own code is gone or replaced, or when it is told to; it leaves
nothing behind but an empty lock file and its log.

Callers are attended by a few threads that live as long as the process: memory that a thread has used
is kept for the next caller, and not left behind with the thread.
"""

import argparse
import os
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue

from recollect.faces.hook.attend import attend
from recollect.faces.hook.keeper import Keeper
from recollect.faces.hook.places import Meant, Places

TICK = 0.5  # seconds between two looks at whether to stay
AT_ONCE = 4  # callers attended side by side; others wait their turn
WAITING = 128  # connections not yet taken up
PAUSE = 0.01
FINISHING = 2.0  # seconds for those under way, once it is time to leave

Stamp = tuple[int, int]


class Watched:
    """A file, and whether it is still the one it was."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._was = self._stamp()

    def is_the_same(self) -> bool:
        return self._stamp() == self._was

    def _stamp(self) -> Stamp | None:
        try:
            found = Path(self._path).stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino


class Warm:
    """Call it in the folder of its socket."""

    def __init__(self, places: Places, keeper: Keeper) -> None:
        self._keeper = keeper
        self._listener = _listening(places.socket)
        self._socket = f"{places.folder}/{places.socket}"
        self._own = Watched(self._socket)
        self._needed = (self._own, Watched(keeper.meant.store), Watched(__file__))
        self._leaving = False
        self._last = time.monotonic()
        self._busy = 0
        self._counting = threading.Lock()
        self._callers: SimpleQueue[socket.socket] = SimpleQueue()

    def serve(self) -> None:
        threading.Thread(target=self._warm_up, daemon=True).start()
        for _ in range(AT_ONCE):
            threading.Thread(target=self._attend, daemon=True).start()
        self._listener.settimeout(TICK)
        while not self._should_leave():
            with suppress(TimeoutError):
                line, _ = self._listener.accept()
                self._count(1)
                self._callers.put(line)
        self._leave()

    def stop(self, *_: object) -> None:
        self._leaving = True

    def _should_leave(self) -> bool:
        with self._counting:
            idle = not self._busy and time.monotonic() - self._last > self._keeper.idle
        return self._leaving or idle or not all(one.is_the_same() for one in self._needed)

    def _leave(self) -> None:
        self._listener.close()
        if self._own.is_the_same():
            Path(self._socket).unlink(missing_ok=True)
        ends = time.monotonic() + FINISHING
        while self._busy and time.monotonic() < ends:
            time.sleep(PAUSE)
        self._keeper.close()

    def _attend(self) -> None:
        while True:
            line = self._callers.get()
            try:
                with line:
                    attend(line, self._keeper)
            except Exception as error:  # one caller's trouble is not the next one's
                complain(error)
            finally:
                self._count(-1)

    def _warm_up(self) -> None:
        """Where the store cannot be opened, this process is of no use."""
        try:
            self._keeper.warm_up()
        except Exception as error:  # whoever asks meanwhile is told as well
            complain(error)
            self.stop()

    def _count(self, change: int) -> None:
        with self._counting:
            self._busy += change
            self._last = time.monotonic()


def complain(error: Exception) -> None:
    """Into the log."""
    print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)


def _listening(path: str) -> socket.socket:
    """The lock is ours, so a socket that is there already is a dead one's."""
    Path(path).unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen(WAITING)
    return listener


def main() -> int:
    words = argparse.ArgumentParser(prog="recollect-warm")
    words.add_argument("--shown", required=True, help="the store, for whoever lists processes")
    words.add_argument("--model", required=True)
    words.add_argument("--lock", required=True, type=int, help="a descriptor that holds the lock")
    words.add_argument("--idle", required=True, type=float, help="seconds")
    given = words.parse_args()
    os.fstat(given.lock)  # held for as long as this process lives
    os.set_inheritable(given.lock, False)  # noqa: FBT003
    meant = Meant(None)  # whoever started it said which, in the environment
    places = Places(meant)
    places.enter()
    warm = Warm(places, Keeper(meant, given.model, given.idle))
    os.chdir("/")
    signal.signal(signal.SIGTERM, warm.stop)
    warm.serve()
    return 0


if __name__ == "__main__":
    sys.exit(main())
