"""Frames between the referee and a host: a length of four bytes, then JSON.

They have their own socket, so that the player's output cannot be mistaken for an answer. The socket
transmits packets, because the kernel notes the time when each was sent: a referee that is late
itself still knows when an answer came.
"""

from __future__ import annotations

import select
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from ludograph.hosting.output_log import Log

ANSWER_LIMIT = 1 << 16
"""Bytes of the longest frame that a player may send."""

START_LIMIT = 1 << 30
"""Bytes of the longest frame that the referee may send: a start holds the whole board."""

CHUNK = 1 << 18
PACKET = 1 << 16
"""Bytes of the longest packet that is sent."""

HEAD = struct.Struct("<I")

SO_TIMESTAMPNS = 35
TIMESPEC = struct.Struct("@qq")
SPACE = socket.CMSG_SPACE(TIMESPEC.size)


def ends() -> tuple[socket.socket, socket.socket]:
    """Return the two ends of a new socket for channels."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


class ChannelClosed(Exception):
    """The other end is gone."""


class ChannelGarbage(Exception):
    """The other end sent bytes that are no frame."""


class Answer(msgspec.Struct, omit_defaults=True):
    """A message from a host."""

    id: int = 0
    """The number of the request, which identifies answers without a request."""
    ready: bool = False
    """The host is up; no player's code has run yet."""
    isolation: str = ""
    """The level of the host's isolation, sent with ``ready``."""
    broken: str = ""
    """The host cannot come up, or has no process for a program: the referee's fault, not the
    player's. It counts before any code of the player could send it."""
    started: bool = False
    name: str | None = None
    legal: bool = True
    """Whether the player wants the legal moves in each question, sent with ``started``."""
    move: int | None = None
    said: str | list[int] | None = None
    """The answer of a program or a library, which the referee interprets."""
    thoughts: Any = None
    """The player's analysis of its last move, which the referee checks."""
    kernels: dict[str, bytes] = {}
    """Machine code compiled for the player, as files by name, sent with ``started`` after a request
    to compile ahead."""
    finished: bool = False
    fault: str = ""
    text: str = ""
    illegal: str = ""
    """The text of an illegal move."""


class Channel:
    """One end of the socket.

    Parameters
    ----------
    limit
        Bytes of the longest frame to accept.
    kind
        The type of the received frames.
    log
        Drained while waiting.

    Attributes
    ----------
    arrived
        The time when the last packet read was sent, on the clock of ``time.perf_counter``.
    """

    def __init__(
        self, connection: socket.socket, limit: int, kind: Any = Any, log: Log | None = None
    ) -> None:
        connection.setblocking(False)
        with suppress(OSError):  # then an answer that is read late counts as late
            connection.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self.connection = connection
        self.arrived = 0.0
        self.limit = limit
        self._decode = msgspec.json.Decoder(kind).decode
        self._encode = msgspec.json.Encoder().encode
        self._buffer = bytearray()
        self._poll = select.poll()
        self._poll.register(connection, select.POLLIN)
        self._others: dict[int, Callable[[], bool]] = {}
        if log is not None:
            self.attend(log.descriptor, log.drain)

    def attend(self, descriptor: int, act: Callable[[], bool]) -> None:
        """Call a function when another descriptor is readable while this end waits for a frame.

        It is called again and again, until it returns False.
        """
        self._others[descriptor] = act
        self._poll.register(descriptor, select.POLLIN)

    def ignore(self, descriptor: int) -> None:
        """Forget a descriptor, which may be forgotten already."""
        if self._others.pop(descriptor, None) is not None:
            self._poll.unregister(descriptor)

    def send(
        self,
        message: Any,
        seconds: float | None = None,
        before_waiting: Callable[[], None] | None = None,
    ) -> None:
        """Send one frame.

        Parameters
        ----------
        before_waiting
            Called once if the other end must read before the rest of the frame can be sent.

        Raises
        ------
        TimeoutError
            If the other end does not take it in time.
        ChannelClosed
            If the other end is closed.
        """
        payload = self._encode(message)
        rest = memoryview(HEAD.pack(len(payload)) + payload)
        deadline = None if seconds is None else time.perf_counter() + seconds
        while rest:
            try:
                rest = rest[self.connection.send(rest[:PACKET]) :]
            except BlockingIOError:
                if before_waiting is not None:
                    before_waiting()
                    before_waiting = None
                self._wait_to_send(deadline)
            except OSError as error:
                raise ChannelClosed(str(error)) from None

    def _wait_to_send(self, deadline: float | None) -> None:
        left = None if deadline is None else deadline - time.perf_counter()
        if left is not None and left <= 0:
            raise TimeoutError
        waiting = select.poll()
        waiting.register(self.connection, select.POLLOUT)
        waiting.poll(None if left is None else left * 1000.0)

    def receive(self, seconds: float | None = None) -> Any:
        """Wait for one frame.

        Raises
        ------
        TimeoutError, ChannelClosed, ChannelGarbage
        """
        deadline = None if seconds is None else time.perf_counter() + seconds
        while True:
            size = self._frame_size()
            if size and len(self._buffer) >= size:
                payload = bytes(self._buffer[HEAD.size : size])
                del self._buffer[:size]
                return self._decoded(payload)
            self._wait(deadline)

    def close(self) -> None:
        """Close this end."""
        self.connection.close()

    def _frame_size(self) -> int:
        """Return the bytes of the first frame in the buffer with its head; 0 if unknown yet."""
        if len(self._buffer) < HEAD.size:
            return 0
        length: int = HEAD.unpack_from(self._buffer)[0]
        if length > self.limit:
            raise ChannelGarbage(
                f"sent a frame of {length} bytes, at most {self.limit} are allowed"
            )
        return HEAD.size + length

    def _decoded(self, payload: bytes) -> Any:
        try:
            return self._decode(payload)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            shown = payload[:60].decode("utf-8", "backslashreplace")
            raise ChannelGarbage(
                f"sent something that is not an answer ({error}): {shown}"
            ) from None

    def _wait(self, deadline: float | None) -> None:
        """Wait for input."""
        timeout = None
        if deadline is not None:
            timeout = max(0.0, (deadline - time.perf_counter()) * 1000.0)
        ready = self._poll.poll(timeout)
        if not ready:
            raise TimeoutError
        for descriptor, _ in ready:
            act = self._others.get(descriptor)
            if act is None:
                self._read()
            elif not act():
                self.ignore(descriptor)
        if timeout == 0.0 and not self._frame_size():
            raise TimeoutError  # it keeps sending something, but no answer

    def _read(self) -> None:
        try:
            chunk, notes, _, _ = self.connection.recvmsg(CHUNK, SPACE)
        except BlockingIOError:
            return
        except OSError as error:
            raise ChannelClosed(str(error)) from None
        if not chunk:
            raise ChannelClosed("end of file")
        self._buffer += chunk
        self.arrived = time.perf_counter() - age(notes)


def age(notes: list[tuple[int, int, bytes]]) -> float:
    """Return the seconds since a packet was sent, by the kernel's time stamp; else 0."""
    for level, kind, data in notes:
        if (level, kind, len(data)) == (socket.SOL_SOCKET, SO_TIMESTAMPNS, TIMESPEC.size):
            seconds, nanoseconds = TIMESPEC.unpack(data)
            return max(0.0, (time.time_ns() - seconds * 10**9 - nanoseconds) * 1e-9)
    return 0.0
