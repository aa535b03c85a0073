"""Serving one client over standard input and output; the handshake waits for nothing."""

import io
import sys
import threading
from collections.abc import Callable
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from recollect.faces.mcp.door import NAME, Replayed, Withheld, answer_to, private_output

if TYPE_CHECKING:
    from recollect.faces.mcp.desk import Desk


def serve_stdio(open_desk: Callable[[], "Desk"]) -> None:
    loading = threading.Thread(target=_load, daemon=True)
    loading.start()
    out = private_output()
    lines = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
    first = lines.readline()
    answered = answer_to(first, version(NAME))
    if answered:
        out.write(f"{answered}\n")
        out.flush()
    if first:
        loading.join()
        _serve(open_desk(), Replayed(first, lines), Withheld(out, withhold=bool(answered)))


def _load() -> None:
    import recollect.faces.mcp.server  # noqa: F401


def _serve(desk: "Desk", lines: Any, out: Any) -> None:
    import anyio
    from mcp.server.stdio import stdio_server

    from recollect.faces.mcp.server import server_for

    async def serve() -> None:
        server = server_for(desk, version(NAME))
        streams = (anyio.wrap_file(lines), anyio.wrap_file(out))
        async with stdio_server(*streams) as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    try:
        anyio.run(serve)
    finally:
        desk.close()
