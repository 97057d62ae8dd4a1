"""Connections: deadlines for their clients, and a limit of how many there are at a time."""

from __future__ import annotations

import asyncio
import math
import resource
import socket

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.h11_impl import H11Protocol

from ludograph.web.server import limits
from ludograph.web.server.limits import network_of

BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"connection: close\r\ncontent-length: 0\r\nretry-after: 10\r\n\r\n"
)
"""The answer to a client for whose connection there is no room."""


class Connection(H11Protocol):
    """A connection to the server.

    A client that makes the server wait for the head of a request, for its body, or until the
    answer has been read, has a deadline. At the limit of connections the client that has made it
    wait for the longest time makes room. Requests that the server works on, and streams of events,
    have no deadline and never make room.
    """

    since: float
    received: int

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, or refuse the connection."""
        super().connection_made(transport)
        # asyncio does this only for a socket with a named protocol; bodies wait 40 ms without it
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        host = self.client[0] if self.client else ""
        self.address = network_of(host)
        app = self.config.loaded_app
        self.is_of_proxy = isinstance(app, ProxyHeadersMiddleware) and host in app.trusted_hosts
        self._begin()
        if not self._has_room():
            transport.write(BUSY)
            transport.close()

    def data_received(self, data: bytes) -> None:
        """Take part of a head or of a body."""
        cycle = self.cycle
        super().data_received(data)
        if self.cycle is not cycle:
            self._begin()
        self.received += len(data)

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._begin()

    def pause_writing(self) -> None:
        """Begin to wait for the client to read."""
        super().pause_writing()
        self._begin()

    @property
    def is_open(self) -> bool:
        """Whether it keeps a file open: one that is closed does so until all is sent."""
        return not self.transport.is_closing() or self.transport.get_write_buffer_size() > 0

    def end_if_late(self) -> None:
        """End the connection if its client has made the server wait for too long."""
        if self.loop.time() > self.since + self.patience:
            self.transport.abort()

    def _begin(self) -> None:
        self.since, self.received = self.loop.time(), 0

    @property
    def patience(self) -> float:
        """Seconds for which the client may make the server wait; infinity if it does not."""
        if self.flow.write_paused or self.transport.is_closing():
            return limits.READ_SECONDS
        if self.cycle is None or self.cycle.response_complete:
            unread = self.transport.get_write_buffer_size()
            return limits.READ_SECONDS if unread else limits.HEAD_SECONDS
        if self.cycle.more_body and not self.flow.read_paused:
            return limits.BODY_SECONDS + self.received / limits.BODY_RATE
        return math.inf

    def _has_room(self) -> bool:
        """Tell whether there is room for this connection; others make room if they can."""
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = min(limits.CONNECTIONS, files - min(files // 2, limits.OTHER_FILES))
        others = [
            each
            for each in self.connections
            if isinstance(each, Connection) and each is not self and each.is_open
        ]
        same = [each for each in others if each.address == self.address]
        return (self.is_of_proxy or _made_room(same, most // 2)) and _made_room(others, most)


def _made_room(among: list[Connection], most: int) -> bool:
    """Tell whether one more connection may be there, after one of these has made room."""
    if len(among) < most:
        return True
    waiting = [each for each in among if each.patience < math.inf]
    if not waiting:
        return False
    min(waiting, key=lambda each: each.since).transport.abort()
    return True
