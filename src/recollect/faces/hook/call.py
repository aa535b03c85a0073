"""One call of the hook: an event on stdin, memories on stdout, exit code 0 whatever happens.

Every prompt waits for this process, so it imports next to nothing itself. The work is done on a
thread; when the deadline comes first, what an earlier answer left unsaid is printed, or nothing.
"""

import json
import os
import sys
import threading
import time

from recollect.faces.hook.here import Child
from recollect.faces.hook.places import Meant
from recollect.faces.hook.warm_call import Spoken, ask_warm
from recollect.faces.hook.wishes import USAGE, Wishes, wishes_of

TYPE_CHECKING = False  # as typing has it, which takes too long to import
if TYPE_CHECKING:
    from typing import Any

    Event = dict[str, Any]

PARTING_MS = 15.0  # for printing and leaving
SETTLING = 0.1  # seconds to write down what was printed, where no warm process does it
USUAL_START_MS = 50.0  # where the system does not tell when a process began
STREAMS = 3  # stdin, stdout, stderr


class Call:
    """An event under way on a thread. Of its answer and the deadline, only one has the word."""

    def __init__(self, wishes: Wishes) -> None:
        self.wishes = wishes
        self.event: Event = {}
        self.read = threading.Event()
        self.done = threading.Event()
        self.child = Child()
        self._word = threading.Lock()

    def work(self) -> None:
        try:
            self.event = _event(sys.stdin.buffer.read())
            self.read.set()
            self._answer()
        except BaseException as error:  # an agent must never be stopped by its memory
            complain(f"{type(error).__name__}: {error}")
        finally:
            self.done.set()

    def _answer(self) -> None:
        meant = Meant(self.wishes.store, self.wishes.vectors)
        if meant.is_missing():
            complain(f"there is no store at {meant.shown}; make one: recollect init")
        elif not (self.wishes.warm and ask_warm(self.event, self.wishes, meant, self.say)):
            self.child.ask(self.event, self.wishes, meant, self.say)

    def say(self, said: Spoken) -> bool:
        """Whether it was really printed: only that is given to the agent."""
        if not self.takes_the_word():
            return False
        complain(said["err"])
        return _print(sys.stdout, said["out"])

    def takes_the_word(self) -> bool:
        return self._word.acquire(blocking=False)


def main(words: list[str]) -> int:
    try:
        _keep_streams_apart()
        _call(wishes_of(words))
    except BaseException as error:  # out of threads, stopped by a key: no reason to stop an agent
        complain(f"{type(error).__name__}: {error}")
    os._exit(0)  # the thread may still be at work, and there is nothing left to tidy


def _call(wishes: Wishes) -> None:
    for line in wishes.refused:
        complain(line)
    if sys.stdin is None or sys.stdin.isatty():
        _print(sys.stderr, f"usage: {USAGE}\nreads an agent's event as JSON on stdin")
        return
    call = Call(wishes)
    threading.Thread(target=call.work, daemon=True).start()
    left = wishes.deadline_ms - PARTING_MS - _spent_ms()
    if call.done.wait(max(0.0, left / 1000)):
        return
    if call.takes_the_word():
        complain(f"no answer within {wishes.deadline_ms:g} ms")
        _say_what_was_late(call)
    else:
        call.done.wait(SETTLING)
    call.child.end()


def _event(raw: bytes) -> "Event":
    try:
        event = json.loads(raw.decode("utf-8", "replace"))
    except ValueError as error:
        raise ValueError(f"stdin holds no JSON event: {error}") from None
    if not isinstance(event, dict):
        raise TypeError(f"the event on stdin is no object but {type(event).__name__}")
    return event


def _say_what_was_late(call: Call) -> None:
    """What was found too late for an earlier prompt of this session; said once, and given then."""
    from recollect.stores import session_files

    def saying(now: "Event | None") -> "Event":
        before = now or last
        late = before["late"]
        if late["said"] or not _print(sys.stdout, late["text"]):
            return before
        given = {**before["given"], **late["given"]}
        return {**before, "given": given, "late": {**late, "said": True}}

    call.read.wait(PARTING_MS / 1000)  # its session is in the event
    try:
        folder = Meant(call.wishes.store).folder
        session = str(call.event.get("session_id") or "default")
        last = session_files.read(session_files.path_of(folder, session)) or {}
        if last.get("late"):
            session_files.change(folder, session, saying, patient=False)
    except (OSError, ValueError, TypeError, KeyError) as error:
        complain(f"nothing earlier could be said instead: {type(error).__name__}: {error}")


def _spent_ms() -> float:
    """How long this process has lived: starting Python counts for whoever waits."""
    try:
        with open("/proc/self/stat", encoding="ascii") as file:  # noqa: PTH123
            ticks = int(file.read().rpartition(")")[2].split()[19])
        began = ticks / os.sysconf("SC_CLK_TCK")
        spent = (time.clock_gettime(time.CLOCK_BOOTTIME) - began) * 1000
    except (OSError, ValueError, AttributeError, IndexError):
        return USUAL_START_MS
    return spent if spent >= 0 else USUAL_START_MS


def _keep_streams_apart() -> None:
    """Where an agent closed one, no file of ours may be opened in its place."""
    while (opened := os.open(os.devnull, os.O_RDWR)) < STREAMS:
        pass
    os.close(opened)


def complain(text: str) -> None:
    if text:
        _print(sys.stderr, f"recollect hook: {text}")


def _print(stream: "Any", text: str) -> bool:
    """Whether all of it was taken."""
    left = f"{text}\n".encode("utf-8", "replace") if text else b""
    try:
        while left:
            left = left[os.write(stream.fileno(), left) :]
    except (OSError, ValueError, AttributeError):  # closed, or full, or never there
        return False
    return True
