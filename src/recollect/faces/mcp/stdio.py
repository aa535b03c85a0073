"""Serving one client over standard input and output, once it was met at the door."""

import os
import sys
from typing import TYPE_CHECKING, NoReturn

from recollect import __version__
from recollect.faces.mcp.door import has_met, meet

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.faces.mcp.desk import Desk


def serve_stdio(open_desk: "Callable[[], Desk]") -> "NoReturn":
    """The desk is opened when all else is ready: a model that loads would hold up the first question."""
    import anyio
    from mcp.server.stdio import stdio_server

    from recollect.faces.mcp.outstanding import paired
    from recollect.faces.mcp.server import server_for

    if not has_met():
        meet()

    desk = open_desk()

    async def serve() -> None:
        server = server_for(desk, __version__)
        heard, said = paired(sys.stdin, sys.stdout)
        streams = (anyio.wrap_file(heard), anyio.wrap_file(said))
        async with stdio_server(*streams) as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    try:
        anyio.run(serve)
    finally:
        desk.close()
    sys.stdout.flush()
    os._exit(
        0
    )  # a model may still be loading on its thread: an interpreter that ends then, crashes
