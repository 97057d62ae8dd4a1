"""What a foreign player prints: drained whenever it may print, its head and tail kept."""

from __future__ import annotations

import contextlib
import os
from collections import deque

HEAD = 2048
TAIL = 4096
CHUNK = 1 << 16
PIPE_LIMIT = 1 << 20


class Log:
    """The reading end of a player's standard output and error.

    Whoever waits for the player calls :meth:`drain` when the descriptor is readable, so that no
    player ever blocks on printing while its clock runs.

    Attributes
    ----------
    size
        Bytes printed so far.
    """

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor
        self.size = 0
        self._head = b""
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._open = True

    def drain(self) -> bool:
        """Read some of what is there; return False when nothing more can come."""
        try:
            chunk = os.read(self.descriptor, CHUNK)
        except BlockingIOError:
            return True
        self._keep(chunk)
        return bool(chunk)

    def _keep(self, chunk: bytes) -> None:
        self.size += len(chunk)
        room = HEAD - len(self._head)
        if room > 0:
            self._head += chunk[:room]
            chunk = chunk[room:]
        if chunk:
            self._tail.append(chunk[-TAIL:])
            self._tail_size += len(self._tail[-1])
            while self._tail_size - len(self._tail[0]) >= TAIL:
                self._tail_size -= len(self._tail.popleft())

    def close(self) -> None:
        """Read what is left, at most a pipe's content, and close."""
        if not self._open:
            return
        self._open = False
        end = self.size + PIPE_LIMIT
        with contextlib.suppress(BlockingIOError):
            while self.size < end and (chunk := os.read(self.descriptor, CHUNK)):
                self._keep(chunk)
        os.close(self.descriptor)

    def text(self) -> str:
        """Return head and tail."""
        tail = b"".join(self._tail)[-TAIL:]
        left_out = self.size - len(self._head) - len(tail)
        middle = f"\n[... {left_out} bytes left out ...]\n" if left_out > 0 else ""
        return self._head.decode("utf-8", "replace") + middle + tail.decode("utf-8", "replace")
