"""What a foreign player prints: always drained, its head and tail kept."""

from __future__ import annotations

import os
import threading
from collections import deque

HEAD = 2048
TAIL = 4096
CHUNK = 1 << 16


class Log:
    """Reads a pipe in a thread of its own, so that no player ever blocks on printing."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._head = b""
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self.size = 0
        self._thread = threading.Thread(target=self._drain, name="player-log", daemon=True)
        self._thread.start()

    def _drain(self) -> None:
        while True:
            try:
                chunk = os.read(self._descriptor, CHUNK)
            except OSError:
                break
            if not chunk:
                break
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
        os.close(self._descriptor)

    def text(self, seconds: float = 0.2) -> str:
        """Return head and tail once the pipe is at its end, or after a short wait."""
        self._thread.join(seconds)
        tail = b"".join(self._tail)[-TAIL:]
        left_out = self.size - len(self._head) - len(tail)
        middle = f"\n[... {left_out} bytes left out ...]\n" if left_out > 0 else ""
        return self._head.decode("utf-8", "replace") + middle + tail.decode("utf-8", "replace")
