"""The server itself, which lets all who look go before it ends."""

from __future__ import annotations

import socket

import uvicorn
from starlette.applications import Starlette

from ludograph.web.site import Site

GRACE = 1
"""Seconds for requests that are being answered when the server is stopped."""

LARGEST_HEAD = 1 << 16
"""Bytes of what stands before the body of a request."""


class Server(uvicorn.Server):
    """Serves the pages of one application."""

    def __init__(self, app: Starlette) -> None:
        self.site: Site = app.state.site
        super().__init__(
            uvicorn.Config(
                app,
                log_level="warning",
                timeout_graceful_shutdown=GRACE,
                server_header=False,
                h11_max_incomplete_event_size=LARGEST_HEAD,
            )
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams to all who look and all costly work, then everything else."""
        self.site.let_go()
        await super().shutdown(sockets)
