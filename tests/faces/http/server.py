"""The real service on a real socket, and a client that speaks to it as any program would."""

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import uvicorn

from recollect.faces.http.app import make_app
from recollect.faces.http.guard import Limits
from recollect.open import Library

UNLIMITED = Limits(per_second=0)


class Reply(NamedTuple):
    status: int
    body: Any
    headers: Mapping[str, str]


@dataclass
class Client:
    port: int
    headers: dict[str, str] = field(default_factory=dict)

    def send(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            raw = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
            kind = {} if raw is None else {"Content-Type": "application/json"}
            connection.request(method, path, raw, {**kind, **self.headers, **(headers or {})})
            reply = connection.getresponse()
            read, told = reply.read(), {name.lower(): v for name, v in reply.getheaders()}
        finally:
            connection.close()
        is_json = "json" in told.get("content-type", "")
        return Reply(reply.status, json.loads(read) if is_json else read.decode(), told)

    def get(self, path: str, **parameters: Any) -> Reply:
        return self.send("GET", f"{path}?{urlencode(parameters)}" if parameters else path)

    def post(self, path: str, body: Any) -> Reply:
        return self.send("POST", path, body)

    def patch(self, path: str, body: Any) -> Reply:
        return self.send("PATCH", path, body)

    def search(self, query: str, **rest: Any) -> dict[str, Any]:
        reply = self.post("/search", {"query": query, **rest})
        assert reply.status == 200, reply.body
        found: dict[str, Any] = reply.body
        return found

    def found(self, query: str, **rest: Any) -> list[str]:
        return [one["note_id"] for one in self.search(query, **rest)["results"]]

    def say(self, episode: str, session: str, user: str, assistant: str = "", **rest: Any) -> None:
        body = {"id": episode, "session": session, "user": user, **rest}
        reply = self.post("/episodes", body | ({"assistant": assistant} if assistant else {}))
        assert reply.status == 201, reply.body

    def until_ready(self, seconds: float = 60.0) -> None:
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            try:
                self.get("/readyz")
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError("the service did not start")

    def until_embedded(self, seconds: float = 10.0) -> None:
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            if self.get("/status").body["waiting"] == 0:
                return
            time.sleep(0.02)
        raise AssertionError("nothing was embedded in time")


def command(store: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "recollect", *words, "--store", str(store)]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def started(store: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], Client]]:
    """The service as a process of its own, as a person would start it."""
    client = Client(free_port())
    line = command(store, "serve", "--port", str(client.port), "--rate", "0", *words)
    process = subprocess.Popen(line, stderr=subprocess.PIPE, text=True)  # noqa: S603
    try:
        client.until_ready()
        yield process, client
    finally:
        process.kill()
        process.communicate(timeout=30)


@contextmanager
def serving(library: Library, limits: Limits = UNLIMITED, **rest: Any) -> Iterator[Client]:
    app = make_app(library, limits=limits, **rest)
    config = uvicorn.Config(
        app, port=0, log_config=None, access_log=False, ws="none", timeout_graceful_shutdown=5
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.005)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Client(port)
    finally:
        server.should_exit = True
        thread.join(10)
