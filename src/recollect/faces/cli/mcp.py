"""`recollect mcp`: memory for agents over the Model Context Protocol."""

import argparse

from recollect.faces.cli.arguments import add_model, command, model_of
from recollect.faces.cli.commands import Exit

EPILOG = """\
over stdio (an agent starts it):    recollect mcp
over HTTP (agents connect to it):   recollect mcp --http --port 8766
"""


def parser() -> argparse.ArgumentParser:
    own = command("mcp", "Serves memory to agents over the Model Context Protocol.", EPILOG)
    own.add_argument("--http", action="store_true", help="streamable HTTP at /mcp, not stdio")
    own.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    own.add_argument("--port", type=int, default=8766, help="the port to listen on (8766)")
    own.add_argument(
        "--space",
        action="append",
        metavar="NAME",
        help="what clients may see (memory); new memories go to the first",
    )
    own.add_argument("--project", metavar="NAME", help="only this project is seen and written")
    add_model(own)
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.faces.mcp.desk import Bounds, Desk

    bounds = Bounds(tuple(given.space or ("memory",)), given.project)

    def desk() -> Desk:
        return Desk(given.store, model_of(given), bounds, given.vectors)

    if given.http:
        from recollect.faces.mcp.http import serve_http

        serve_http(desk(), given.host, given.port)
    else:
        from recollect.faces.mcp.stdio import serve_stdio

        serve_stdio(desk)
    return Exit.OK
