"""Frames between the referee and a host: a length of four bytes, then JSON.

They travel on a socket of their own, so that nothing a player prints can be taken for an answer.
"""

from __future__ import annotations

import select
import socket
import struct
import time
from typing import Any

import msgspec

ANSWER_LIMIT = 1 << 16
"""Bytes of the longest frame that a player may send."""

START_LIMIT = 1 << 31
"""Bytes of the longest frame that the referee may send: a start holds the whole board."""


class ChannelClosed(Exception):
    """The other end is gone."""


class ChannelGarbage(Exception):
    """The other end sent what is no frame."""


class Channel:
    """One end of the socket.

    Parameters
    ----------
    limit
        Bytes of the longest frame to accept.
    """

    def __init__(self, connection: socket.socket, limit: int) -> None:
        self.connection = connection
        self.limit = limit
        self._poll = select.poll()
        self._poll.register(connection, select.POLLIN)

    def send(self, message: Any) -> None:
        """Send one frame.

        Raises
        ------
        ChannelClosed
            If nobody reads any more.
        """
        payload = msgspec.json.encode(message)
        try:
            self.connection.sendall(struct.pack("<I", len(payload)) + payload)
        except OSError as error:
            raise ChannelClosed(str(error)) from None

    def receive(self, seconds: float | None = None) -> Any:
        """Wait for one frame.

        Raises
        ------
        TimeoutError, ChannelClosed, ChannelGarbage
        """
        deadline = None if seconds is None else time.perf_counter() + seconds
        head = self._read(4, deadline)
        (length,) = struct.unpack("<I", head)
        if length > self.limit:
            raise ChannelGarbage(f"a frame of {length} bytes, at most {self.limit} are allowed")
        try:
            return msgspec.json.decode(self._read(length, deadline))
        except msgspec.DecodeError as error:
            raise ChannelGarbage(str(error)) from None

    def _read(self, size: int, deadline: float | None) -> bytes:
        parts = []
        while size:
            if deadline is not None:
                left = deadline - time.perf_counter()
                if left <= 0 or not self._poll.poll(max(0.0, left * 1000.0)):
                    raise TimeoutError
            try:
                part = self.connection.recv(min(size, 1 << 20))
            except OSError as error:
                raise ChannelClosed(str(error)) from None
            if not part:
                raise ChannelClosed("end of file")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def close(self) -> None:
        """Close this end."""
        self.connection.close()
