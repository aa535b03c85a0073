"""One call of the hook: an event on stdin, memories on stdout, exit code 0 whatever happens.

Every prompt waits for this process, so it imports next to nothing itself. The work is done on a
thread; when the deadline comes first, what an earlier answer left unsaid is printed, or nothing.
"""

import json
import os
import sys
import threading
import time
from typing import Any

from recollect.faces.hook.places import store_of
from recollect.faces.hook.warm_call import ask_warm
from recollect.faces.hook.wishes import USAGE, Wishes, wishes_of

PARTING_MS = 15.0  # for printing and leaving
USUAL_START_MS = 50.0  # where the system does not tell when a process began


class Call:
    """What came in and what is to be printed; the thread fills it, the deadline may read it early."""

    def __init__(self, wishes: Wishes) -> None:
        self.wishes = wishes
        self.event: dict[str, Any] = {}
        self.out = ""
        self.err = [*wishes.refused]
        self.read = threading.Event()
        self.done = threading.Event()

    def work(self) -> None:
        try:
            self.event = _event(sys.stdin.buffer.read())
            self.read.set()
            said = _answer(self.event, self.wishes)
            self.out = said["out"]
            self.err += [said["err"]] if said["err"] else []
        except BaseException as error:  # an agent must never be stopped by its memory
            self.err.append(f"{type(error).__name__}: {error}")
        finally:
            self.done.set()


def main(words: list[str]) -> int:
    call = Call(wishes_of(words))
    if sys.stdin is None or sys.stdin.isatty():
        print(f"usage: {USAGE}\nreads an agent's event as JSON on stdin", file=sys.stderr)
        return 0
    threading.Thread(target=call.work, daemon=True).start()
    left = call.wishes.deadline_ms - PARTING_MS - _spent_ms()
    if not call.done.wait(max(0.0, left / 1000)):
        call.err.append(f"no answer within {call.wishes.deadline_ms:g} ms")
        call.out = _unsaid(call)
    _print(sys.stdout, call.out)
    _print(sys.stderr, "\n".join(f"recollect hook: {line}" for line in call.err))
    os._exit(0)  # the thread may still be at work, and there is nothing left to tidy


def _event(raw: bytes) -> dict[str, Any]:
    try:
        event = json.loads(raw.decode("utf-8", "replace"))
    except ValueError as error:
        raise ValueError(f"stdin holds no JSON event: {error}") from None
    if not isinstance(event, dict):
        raise TypeError(f"the event on stdin is no object but {type(event).__name__}")
    return event


def _answer(event: dict[str, Any], wishes: Wishes) -> dict[str, str]:
    store = store_of(wishes.store)
    if not os.path.exists(store):  # noqa: PTH110  pathlib takes too long to import
        return {"out": "", "err": f"there is no store at {store}; make one: recollect init"}
    said = ask_warm(event, wishes, store) if wishes.warm else None
    return said or _answer_here(event, wishes)


def _answer_here(event: dict[str, Any], wishes: Wishes) -> dict[str, str]:
    """Without the warm process: slower, and only within the deadline."""
    from recollect.faces.hook.answer import answer_event
    from recollect.open import open_library

    model = None if wishes.model == "none" else wishes.model
    with open_library(wishes.store, model=model, create=False) as library:
        return answer_event(event, vars(wishes), library)._asdict()


def _unsaid(call: Call) -> str:
    """What was found too late for an earlier prompt of this session; said once."""
    from recollect.stores import session_files

    call.read.wait(PARTING_MS / 1000)  # its session is in the event
    try:
        folder = session_files.folder_of(store_of(call.wishes.store))
        session = str(call.event.get("session_id") or "default")
        last = session_files.read(session_files.path_of(folder, session))
        if not last or not last.get("unsaid"):
            return ""
        session_files.change(folder, session, lambda now: {**(now or last), "unsaid": ""})
        return str(last["unsaid"])
    except (OSError, ValueError, AttributeError):
        return ""


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


def _print(stream: Any, text: str) -> None:
    if text:
        left = f"{text}\n".encode("utf-8", "replace")
        try:
            while left:
                left = left[os.write(stream.fileno(), left) :]
        except (OSError, ValueError):
            return  # nobody reads it any more
