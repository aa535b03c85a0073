"""The protocol line by line: the handshake at the door, nonsense on the wire, and the end of it."""

import io
import json
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import anyio
import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from recollect import __version__
from recollect.faces.cli.mcp import parser
from recollect.faces.mcp.desk import Bounds, Desk
from recollect.faces.mcp.door import OPTIONS, VERSIONS, answer_to, is_for_stdio
from recollect.faces.mcp.outstanding import Outstanding, Saying, paired
from recollect.faces.mcp.server import server_for

INVALID = -32602
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


def arguments(store: Path, *rest: str) -> list[str]:
    return ["-m", "recollect", "mcp", "--store", str(store), "--model", "hashing", *rest]


def test_nonsense_on_the_wire_ends_no_conversation(store: Path) -> None:
    lines = [
        "not json",
        "[]",
        '{"jsonrpc": "2.0", "id": 7, "method": "no/such"}',
        '{"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": {"name": "search",'
        ' "arguments": {"query": "x", "bogus": 1}}}',
        '{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "status"}}',
    ]
    said = "\n".join(
        [
            json.dumps(INITIALIZE),
            '{"jsonrpc": "2.0", "method": "notifications/initialized"}',
            *lines,
        ]
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, *arguments(store)],
        input=f"{said}\n".encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    answers = {one.get("id"): one for one in map(json.loads, done.stdout.splitlines())}
    assert answers[8]["error"]["code"] == INVALID
    assert "bogus" in answers[8]["error"]["message"]
    assert "error" in answers[7]
    assert answers[9]["result"]["structuredContent"]["model_ready"] in (True, False)


def test_the_end_of_the_input_waits_for_the_answers() -> None:
    asked = io.StringIO('{"id": 1, "method": "ping"}\n{"method": "note"}\n')
    hearing, saying = paired(asked, io.StringIO())
    assert [hearing.readline(), hearing.readline()][1] == '{"method": "note"}\n'
    ended = threading.Event()

    def listen() -> None:
        hearing.readline()
        ended.set()

    threading.Thread(target=listen, daemon=True).start()
    assert not ended.wait(0.1)
    saying.write('{"id": 2, "result": {}}\n')
    assert not ended.wait(0.1)
    saying.write('{"id": 1, "result": {}}\n')
    assert ended.wait(5)


def test_the_end_waits_for_no_answer_that_nobody_hears() -> None:
    owed = Outstanding()
    owed.heard('{"id": 1, "method": "ping"}')
    owed.wait(patience_s=0.01)  # no answer ever comes
    unheard, end = os.pipe()
    os.close(unheard)
    pipe = os.fdopen(end, "w")
    with pytest.raises(BrokenPipeError):
        Saying(pipe, owed).write('{"id": 1, "result": {}}\n')
    with suppress(BrokenPipeError):
        pipe.close()
    owed.wait(patience_s=60)  # returns at once


def test_a_question_that_was_cancelled_is_not_waited_for() -> None:
    owed = Outstanding()
    owed.heard('{"id": 2, "method": "ping"}')
    owed.heard('{"method": "notifications/cancelled", "params": {"requestId": 2}}')
    began = time.monotonic()
    owed.wait(patience_s=20)
    assert time.monotonic() - began < 10


def test_the_door_knows_every_option_of_a_server_on_stdio() -> None:
    options = {name for one in parser()._actions for name in one.option_strings}
    assert options - {"-h", "--help", "--http"} == OPTIONS
    assert is_for_stdio(["--store", "a.db", "--space=b"])
    assert not is_for_stdio(["--http", "--port", "1"])
    assert not is_for_stdio(["--help"])
    assert __version__ == metadata.version("recollect")


def test_the_handshake_waits_for_no_model_and_no_sdk(store: Path) -> None:
    """Under half a second even on a busy machine; the SDK alone takes longer than that to import."""
    times = []
    for _ in range(3):
        began = time.perf_counter()
        with subprocess.Popen(  # noqa: S603
            [sys.executable, *arguments(store)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
            server.stdin.flush()
            answer = json.loads(server.stdout.readline())
            times.append(time.perf_counter() - began)
            server.kill()
        assert answer["result"]["serverInfo"]["name"] == "recollect"
    assert min(times) < 0.5


def test_the_door_says_what_the_sdk_would_say(store: Path) -> None:
    async def talk() -> None:
        desk = Desk(str(store), "hashing", Bounds())
        server = server_for(desk, "9.9")
        options = server.create_initialization_options()
        for version in VERSIONS:
            request = {"id": 1, "method": "initialize", "params": {"protocolVersion": version}}
            said = json.loads(str(answer_to(json.dumps(request), "9.9")))["result"]
            own = options.capabilities.model_dump(by_alias=True, exclude_none=True)
            assert said["capabilities"] == {name: value for name, value in own.items() if value}
            assert said["serverInfo"] == {"name": server.name, "version": "9.9"}
            assert said["instructions"] == server.instructions
        desk.library.close()

    assert VERSIONS == HANDSHAKE_PROTOCOL_VERSIONS
    anyio.run(talk)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "not json",
        "[]",
        '{"id": 1, "method": "tools/list"}',
        '{"id": 1, "method": "initialize", "params": {"protocolVersion": "1999-01-01"}}',
        '{"method": "initialize", "params": {"protocolVersion": "2025-06-18"}}',
    ],
)
def test_the_door_leaves_all_else_to_the_sdk(line: str) -> None:
    assert answer_to(line, "0") is None
