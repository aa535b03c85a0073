"""A real HTTP server on this machine that answers, or misbehaves, as it is told."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Answer(NamedTuple):
    body: bytes
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    delay: float = 0.0


class Asked(NamedTuple):
    path: str
    key: str | None
    question: Any


class Server(NamedTuple):
    address: str
    asked: list[Asked]


Respond = Callable[[Any], Answer]


def as_json(content: Any, status: int = 200, **headers: str) -> Answer:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Answer(json.dumps(content).encode(), status, named)


def in_turn(*answers: Answer | Respond) -> Respond:
    """Each answer once, and the last one from then on."""
    left = list(answers)

    def respond(question: Any) -> Answer:
        answer = left.pop(0) if len(left) > 1 else left[0]
        return answer if isinstance(answer, Answer) else answer(question)

    return respond


@contextmanager
def serving(respond: Respond) -> Iterator[Server]:
    asked: list[Asked] = []

    class Talk(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            question = json.loads(self.rfile.read(length))
            asked.append(Asked(self.path, self.headers["Authorization"], question))
            answer = respond(question)
            time.sleep(answer.delay)
            self.send_response(answer.status)
            for name, value in answer.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, *_: object) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """A client that hung up is what some tests are about."""

    with Quiet(("127.0.0.1", 0), Talk) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield Server(f"http://127.0.0.1:{server.server_address[1]}/v1", asked)
        finally:
            server.shutdown()
            thread.join()
