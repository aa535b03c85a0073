"""Serving many clients over streamable HTTP, on this machine unless another address is named."""

from typing import TYPE_CHECKING

from recollect import __version__

if TYPE_CHECKING:
    from recollect.faces.mcp.desk import Desk


def serve_http(desk: "Desk", host: str, port: int) -> None:
    import uvicorn

    from recollect.faces.mcp.server import server_for

    app = server_for(desk, __version__).streamable_http_app(host=host)
    uvicorn.run(app, host=host, port=port, log_level="warning", ws="none")
