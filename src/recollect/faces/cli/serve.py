"""`recollect serve`: the service and its page, on this machine unless told otherwise."""

import argparse
import sys
from typing import TYPE_CHECKING

from recollect.faces.cli.arguments import add_model, command, model_of
from recollect.faces.cli.commands import Exit
from recollect.model.errors import BadInput

if TYPE_CHECKING:
    from recollect.open import Library

PORT = 4000  # seed 004
GRACE_SECONDS = 20


def parser() -> argparse.ArgumentParser:
    own = command("serve", "Serves HTTP and the web page.", "make a token: recollect token NAME")
    own.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="where to listen (127.0.0.1)"
    )
    own.add_argument(
        "--port", type=int, default=PORT, metavar="N", help=f"({PORT}; 0: any that is free)"
    )
    own.add_argument(
        "--allow-host", action="append", default=[], metavar="NAME", help="a name it answers to"
    )
    own.add_argument(
        "--rate",
        type=float,
        default=200.0,
        metavar="N",
        help="requests a second of one client (200; 0: any)",
    )
    own.add_argument("--max-body", type=int, default=8, metavar="MB", help="longest body (8)")
    own.add_argument("--timeout", type=float, default=60.0, metavar="S", help="per request (60)")
    own.add_argument("--rerank", metavar="NAME", help="maxsim, onnx:FOLDER or an http address")
    own.add_argument(
        "--log-level",
        default="info",
        choices=["debug", "info", "warning", "error"],
        metavar="LEVEL",
        help="debug, info, warning or error",
    )
    add_model(own)
    return own


def run(given: argparse.Namespace) -> int:
    import uvicorn

    from recollect.faces.http.app import make_app
    from recollect.faces.http.guard import Limits, is_loopback
    from recollect.faces.http.observe import log_as_json
    from recollect.open import open_library

    outside = not is_loopback(given.host)
    with open_library(
        given.store, vectors=given.vectors, model=model_of(given), judge=given.rerank
    ) as library:
        if outside:
            _refuse_without_token(library, given.host)
        limits = Limits(
            body_bytes=given.max_body * 1024 * 1024,
            per_second=given.rate,
            burst=int(given.rate * 2),
            timeout_seconds=given.timeout,
        )
        hosts = [*given.allow_host, given.host]
        app = make_app(library, limits=limits, hosts=hosts, guarded=outside)
        log_as_json(given.log_level)
        config = uvicorn.Config(
            app,
            host=given.host,
            port=given.port,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        print(f"recollect: http://{given.host}:{given.port}", file=sys.stderr)
        uvicorn.Server(config).run()
    return Exit.OK


def _refuse_without_token(library: "Library", host: str) -> None:
    from recollect.faces.http.tokens import tokens

    if not tokens(library.store.settings):
        raise BadInput(
            "host", host, "can be reached by others, and no token is set; recollect token NAME"
        )
