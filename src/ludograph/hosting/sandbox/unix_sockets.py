"""Data waiting in local sockets, as the kernel's socket diagnosis reports it.

Unread data is memory of no process, and a socket that was sent to another socket and closed is open
in none. The kernel lists all sockets of a network namespace with their queues. Data whose sender
has been closed counts at its receiver, with the greatest size of a sender's buffer.

See the manual's sock_diag(7), "UNIX domain sockets".
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Collection, Iterator

NETLINK_SOCK_DIAG = 4
SOCK_DIAG_BY_FAMILY = 20
NLM_F_REQUEST, NLM_F_DUMP = 1, 0x300
NLMSG_ERROR, NLMSG_DONE = 2, 3
UDIAG_SHOW_RQLEN, UDIAG_SHOW_MEMINFO = 0x10, 0x20
UNIX_DIAG_RQLEN, UNIX_DIAG_MEMINFO = 4, 5
SENDING_BUFFER = 3
"""Place of the size of a socket's buffer in ``UNIX_DIAG_MEMINFO``."""

HEAD = struct.Struct("=IHHII")  # struct nlmsghdr
REQUEST = struct.Struct("=BBHIIIII")  # struct unix_diag_req
MESSAGE = struct.Struct("=BBBBIII")  # struct unix_diag_msg
ATTRIBUTE = struct.Struct("=HH")  # struct nlattr

LONGEST = 1 << 16
SECONDS = 0.05
"""The time limit for the kernel's answer, which comes at once."""


class UnixSockets:
    """The local sockets of this process's network namespace."""

    def __init__(self) -> None:
        self._line: socket.socket | None = None
        self._works = True

    def held(self, among: Collection[int] | None = None) -> int:
        """Return the bytes that wait in them; 0 if this kernel does not report them.

        Parameters
        ----------
        among
            The numbers of the sockets that count; all if not given.
        """
        total = 0
        for number, waiting, sent, room in self._told():
            if among is None or number in among:
                total += sent + (room if waiting else 0)
        return total

    def _told(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield each socket's number, bytes to be read, memory of what it sent, size of buffer."""
        if not self._works:
            return
        try:
            if self._line is None:
                kind = socket.SOCK_RAW | socket.SOCK_CLOEXEC
                self._line = socket.socket(socket.AF_NETLINK, kind, NETLINK_SOCK_DIAG)
                self._line.settimeout(SECONDS)
            show = UDIAG_SHOW_RQLEN | UDIAG_SHOW_MEMINFO
            all_states = nothing = 0xFFFFFFFF
            request = REQUEST.pack(socket.AF_UNIX, 0, 0, all_states, 0, show, nothing, nothing)
            size, flags = HEAD.size + len(request), NLM_F_REQUEST | NLM_F_DUMP
            self._line.send(HEAD.pack(size, SOCK_DIAG_BY_FAMILY, flags, 0, 0) + request)
            while True:
                data = self._line.recv(LONGEST)
                for kind, body in messages(data):
                    if kind == NLMSG_DONE:
                        return
                    if kind == NLMSG_ERROR:
                        raise OSError("the kernel does not list local sockets")
                    yield entry(body)
        except OSError:
            self._works = False


def works() -> bool:
    """Tell whether this kernel reports the data in sockets."""
    one, other = socket.socketpair()
    with one, other:
        one.send(b"x")
        return UnixSockets().held() > 0


def messages(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield kind and body of each message."""
    at = 0
    while at + HEAD.size <= len(data):
        length, kind, *_ = HEAD.unpack_from(data, at)
        yield kind, data[at + HEAD.size : at + length]
        at += (length + 3) & ~3


def entry(body: bytes) -> tuple[int, int, int, int]:
    """Return a socket's number, bytes to be read, memory of what it sent, and size of buffer."""
    number = MESSAGE.unpack_from(body)[4]
    waiting = sent = room = 0
    at = MESSAGE.size
    while at + ATTRIBUTE.size <= len(body):
        length, kind = ATTRIBUTE.unpack_from(body, at)
        if kind == UNIX_DIAG_RQLEN:
            waiting, sent = struct.unpack_from("=II", body, at + ATTRIBUTE.size)
        elif kind == UNIX_DIAG_MEMINFO:
            start = at + ATTRIBUTE.size + 4 * SENDING_BUFFER
            room = struct.unpack_from("=I", body, start)[0]
        at += max(ATTRIBUTE.size, (length + 3) & ~3)
    return number, waiting, sent, room
