"""Answering without the warm process: in a child of the hook's own, which speaks as that one does.

Whatever ends the child, a crash inside a library or memory that ran out, does not end the hook; and the
hook ends the child when its deadline has come.
"""

import _socket as socket  # without the enumerations that make `socket` slow to import
import os
import signal

from recollect.faces.hook.places import Meant
from recollect.faces.hook.warm_call import Say, exchange, request_of
from recollect.faces.hook.wishes import Wishes

TYPE_CHECKING = False  # as typing has it, which takes too long to import
if TYPE_CHECKING:
    from typing import Any, NoReturn


class Child:
    def __init__(self) -> None:
        self._process = 0

    def ask(self, event: "dict[str, Any]", wishes: Wishes, meant: Meant, say: Say) -> None:
        """Says what the child says, and waits until it has written down what came of it."""
        ours, theirs = socket.socketpair()
        self._process = os.fork()
        if not self._process:
            ours.close()
            _answer(theirs, meant, wishes)
        theirs.close()
        try:
            exchange(ours, request_of(event, wishes, meant), say)
            ours.shutdown(socket.SHUT_WR)  # confirmed or not: no more is to come
            ours.recv(1)
        finally:
            ours.close()

    def end(self) -> None:
        if self._process:
            os.kill(self._process, signal.SIGKILL)


def _answer(line: socket.socket, meant: Meant, wishes: Wishes) -> "NoReturn":
    """In the child. The agent's streams are its parent's alone: an agent waits until they are closed."""
    try:
        for stream in range(3):
            os.dup2(os.open(os.devnull, os.O_RDWR), stream)
        _serve(line, meant, wishes)
    finally:
        os._exit(0)


def _serve(line: socket.socket, meant: Meant, wishes: Wishes) -> None:
    import socket as sockets

    from recollect.faces.hook.attend import answer_one, tell_trouble
    from recollect.faces.hook.keeper import Keeper

    own = sockets.socket(fileno=line.detach())
    try:
        answer_one(own, Keeper(meant, wishes.model, wishes.idle))
    except Exception as error:  # told to the parent, which tells whoever looks after it
        tell_trouble(own, error)
