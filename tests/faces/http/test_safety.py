"""Who may ask, how much, how often; and that nothing leaks or is lost."""

import json
import re
import signal
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path

import pytest

from recollect.faces.http.guard import Limits, is_loopback
from recollect.model.errors import StoreError
from recollect.open import Library, open_library
from tests.faces.http.server import Client, command, serving, started


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""])
def test_a_host_it_does_not_answer_to_is_refused(client: Client, host: str) -> None:
    """DNS rebinding: a page of another site makes its own name lead here."""
    refused = client.send("GET", "/settings", headers={"Host": host})
    assert (refused.status, refused.headers["content-type"]) == (421, "application/problem+json")


def test_a_page_of_another_site_may_not_write(client: Client) -> None:
    for origin in ("http://evil.example", "null", f"http://localhost:{client.port + 1}"):
        refused = client.send("PATCH", "/settings", {"keywordWeight": 1}, {"Origin": origin})
        assert refused.status == 403
    assert client.get("/settings").body["keywordWeight"] == 0
    own = {"Origin": f"http://127.0.0.1:{client.port}"}
    assert client.send("PATCH", "/settings", {"keywordWeight": 1}, own).status == 200


def test_an_allowed_host_is_answered(library: Library) -> None:
    with serving(library, hosts=["notes.example"]) as client:
        own = {"Host": "notes.example", "Origin": "https://notes.example"}
        assert client.send("GET", "/settings", headers=own).status == 200


def test_a_body_that_is_too_long_is_refused_whatever_its_header_says(library: Library) -> None:
    with serving(library, Limits(per_second=0, body_bytes=2000)) as client:
        assert client.post("/notes", {"text": "x" * 3000}).status == 413
        assert client.post("/notes", {"text": "x" * 500}).status == 201
        chunks = b"".join(b"%x\r\n%s\r\n" % (500, b"x" * 500) for _ in range(10))
        with socket.create_connection(("127.0.0.1", client.port), timeout=10) as raw:
            head = b"POST /notes HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            raw.sendall(head + chunks + b"0\r\n\r\n")
            assert raw.recv(100).startswith(b"HTTP/1.1 413")


def test_a_client_that_asks_too_often_is_told_to_wait(library: Library) -> None:
    with serving(library, Limits(per_second=1, burst=5)) as client:
        statuses = [client.get("/healthz").status for _ in range(12)]
        assert statuses[:5] == [200] * 5
        refused = client.get("/healthz")
        assert (refused.status, refused.headers["retry-after"]) == (429, "1")


def test_a_request_that_takes_too_long_is_answered_for(tmp_path: Path) -> None:
    class Slow:
        identity, dimensions, may_wait, weak = "slow", 2, False, False

        def embed(self, texts: object) -> object:
            time.sleep(1)
            raise RuntimeError

    with open_library(tmp_path / "s.db", model=None) as library:
        library.embedder = Slow()  # type: ignore[assignment]
        with serving(library, Limits(per_second=0, timeout_seconds=0.2)) as client:
            client.post("/notes", {"text": "x"})
            late = client.post("/search", {"query": "x"})
            assert (late.status, late.headers["content-type"]) == (504, "application/problem+json")
            time.sleep(1)


def test_every_answer_carries_the_policy(client: Client) -> None:
    for path in ("/", "/healthz", "/nowhere", "/notes/none"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_a_wrong_address_or_method_is_a_problem_too(client: Client) -> None:
    for method, path, status in (("GET", "/nowhere", 404), ("DELETE", "/settings", 405)):
        reply = client.send(method, path)
        assert (reply.status, reply.body["status"]) == (status, status)


def test_it_is_not_ready_while_the_store_cannot_be_read(library: Library) -> None:
    class Gone:
        def spaces(self) -> tuple[str, ...]:
            raise StoreError("the disk is not there")

    with serving(library) as client:
        assert client.get("/readyz").body == {"status": "ready"}
        library.store = library.store._replace(catalogue=Gone())  # type: ignore[arg-type]
        refused = client.get("/readyz")
        assert (refused.status, refused.headers["content-type"]) == (
            *(503, "application/problem+json"),
        )
        assert client.get("/healthz").status == 200


def test_a_failure_of_ours_shows_no_trace_of_the_program(library: Library) -> None:
    class Broken:
        def __getattr__(self, name: str) -> object:
            raise RuntimeError("the secret of /etc/somewhere")

    library.store = library.store._replace(roster=Broken())  # type: ignore[arg-type]
    with serving(library) as client:
        reply = client.get("/sessions")
        assert (reply.status, reply.headers["content-type"]) == (500, "application/problem+json")
        assert "secret" not in json.dumps(reply.body)


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("127.9.9.9", True),
     ("0.0.0.0", False), ("::", False), ("192.168.0.1", False), ("example.org", False)],  # noqa: S104
)  # fmt: skip
def test_loopback_is_known(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected


def test_it_refuses_to_be_reached_by_others_without_a_token(tmp_path: Path) -> None:
    words = command(tmp_path / "s.db", "serve", "--host", "0.0.0.0", "--port", "0")  # noqa: S104
    ran = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)  # noqa: S603
    assert ran.returncode == 2
    assert "no token is set" in ran.stderr


def test_stopping_loses_no_accepted_write_and_the_log_holds_no_text(tmp_path: Path) -> None:
    store, accepted = tmp_path / "s.db", []
    with started(store, "--model", "none") as (process, client):

        def write(at: int) -> None:
            try:
                reply = client.post("/notes", {"id": f"n{at}", "text": f"flowerpot {at}"})
            except (OSError, HTTPException):
                return
            if reply.status == 201:
                accepted.append(reply.body["id"])

        client.get("/episodes/search", q="flowerpot")
        with ThreadPoolExecutor(4) as pool:
            writes = [pool.submit(write, at) for at in range(120)]
            while len(accepted) < 10:
                time.sleep(0.01)
            process.send_signal(signal.SIGTERM)
            for one in writes:
                one.result()
        _, logged = process.communicate(timeout=30)
    assert process.returncode in (0, -signal.SIGTERM)
    with open_library(store, model=None) as library:
        assert len(library.store.shelf.notes(accepted)) == len(accepted) >= 10
    assert "flowerpot" not in logged
    lines = [json.loads(line) for line in logged.splitlines() if line.startswith("{")]
    answered = [line for line in lines if line["message"] == "answered"]
    assert {"method", "route", "status", "ms", "request"} <= set(answered[0])
    assert not re.search(r"n\d+", "".join(line["route"] for line in answered))
