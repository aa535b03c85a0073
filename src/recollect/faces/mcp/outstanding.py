"""Answers still owed when a client's last word was heard.

The SDK ends a conversation, and whatever is at work in it, as soon as its input ends. A client may close
its end right after asking, as every shell pipe does: so the end is told only when nothing is owed.
"""

import io
import threading
from typing import TextIO, cast

from recollect.faces.mcp.door import message_in

PATIENCE_S = 30.0
"""How long the end is kept back without an answer: some questions never get one."""


class Outstanding:
    def __init__(self) -> None:
        self._ids: set[int | str] = set()
        self._changed = threading.Condition()
        self._hung_up = False

    def heard(self, line: str) -> None:
        message = message_in(line)
        asked = message.get("id")
        with self._changed:
            if message.get("method") == "notifications/cancelled":
                self._ids.discard((message.get("params") or {}).get("requestId"))
            elif "method" in message and isinstance(asked, int | str):
                self._ids.add(asked)

    def said(self, line: str) -> None:
        with self._changed:
            self._ids.discard(message_in(line).get("id"))
            self._changed.notify_all()

    def hang_up(self) -> None:
        """Nobody listens any more, so nothing is owed."""
        with self._changed:
            self._hung_up = True
            self._changed.notify_all()

    def wait(self, patience_s: float = PATIENCE_S) -> None:
        with self._changed:
            while self._ids and not self._hung_up and self._changed.wait(patience_s):
                pass


class Hearing(io.TextIOBase):
    """An input whose end comes when every question was answered."""

    def __init__(self, stream: io.TextIOBase, outstanding: Outstanding) -> None:
        self._stream = stream
        self._outstanding = outstanding

    def readline(self, size: int = -1) -> str:  # type: ignore[override]  # as every text stream's
        line = str(self._stream.readline(size))
        if line:
            self._outstanding.heard(line)
        else:
            self._outstanding.wait()
        return line


class Saying(io.TextIOBase):
    """An output that notes which question each line answers."""

    def __init__(self, stream: io.TextIOBase, outstanding: Outstanding) -> None:
        self._stream = stream
        self._outstanding = outstanding

    def write(self, text: str) -> int:
        try:
            written = self._stream.write(text)
            self._stream.flush()
        except OSError:
            self._outstanding.hang_up()
            raise
        self._outstanding.said(text)
        return written

    def flush(self) -> None:
        self._stream.flush()


def paired(stdin: TextIO, stdout: TextIO) -> tuple[TextIO, TextIO]:
    """Both ends of one conversation."""
    outstanding = Outstanding()
    return (
        cast("TextIO", Hearing(cast("io.TextIOBase", stdin), outstanding)),
        cast("TextIO", Saying(cast("io.TextIOBase", stdout), outstanding)),
    )
