"""Orders to a supervisor and its host: at their start, or later where they were forked ahead.

Those that are kept ready have been forked before anybody asked for them, and have gone into their
sandbox. The fork server sends the supervisor what the referee has sent, and the supervisor tells
the host.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import socket
from array import array
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from ludograph.hosting.leftover_processes import TOKEN

REQUEST_LIMIT = 1 << 16
READY = b"+"


class Orders(NamedTuple):
    """Whose supervisor it is.

    Attributes
    ----------
    channel, lifeline
        Descriptors of sockets; the channel is the host's.
    memory
        Bytes that the player's processes may hold together.
    """

    channel: int
    lifeline: int
    memory: int


class Mark:
    """The token in the environment that this process was started with, and all that it forks.

    That is what ``/proc`` shows of them; a variable that is set anew lies elsewhere and is seen by
    programs that are started. The place is found once: other variables may move.
    """

    def __init__(self) -> None:
        getenv = ctypes.CDLL(None).getenv
        getenv.restype = ctypes.c_void_p
        self._place = getenv(TOKEN.encode())

    def bear(self, token: str) -> None:
        """Write a token there; all are of the same length."""
        ctypes.memmove(self._place, token.encode(), len(token))
        os.environ[TOKEN] = token


def print_to(log: int) -> None:
    """Have what this process prints go to a player's log."""
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)


class PreforkedPair:
    """A supervisor and a host that wait to be told.

    Parameters
    ----------
    door
        The supervisor's end of a socket of whole messages; the fork server has the other.
    rehearse
        Called in the host before it is ready.
    """

    def __init__(self, door: socket.socket, mark: Mark, rehearse: Callable[[], None]) -> None:
        self.door, self.mark, self.rehearse = door, mark, rehearse
        self._supervisors, self._hosts = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)

    def host_waits(self) -> int | None:
        """Say that the host is ready, and wait for a player; return the channel, if one comes."""
        self.door.close()
        self._supervisors.close()
        self.rehearse()
        with self._hosts as line:
            line.send(READY)
            token, descriptors = received(line, 2)
        if not token:
            return None
        channel, log = descriptors
        print_to(log)
        self.mark.bear(token.decode())
        return channel

    def supervisor_waits(self, host: int, referee: int) -> Orders | None:
        """Wait for the host to be ready, then for a player; return None if none will come.

        Parameters
        ----------
        host
            The number of its process.
        referee
            A descriptor of its process.
        """
        self._hosts.close()
        with self._supervisors as line, self.door as door, suppress(OSError):
            if not line.recv(1):
                return None  # the host has failed
            with suppress(BrokenPipeError):  # it has told already, and not waited for this
                socket.send_fds(door, [READY], [os.pidfd_open(os.getpid())])
            poll = select.poll()
            for descriptor in (door.fileno(), line.fileno(), referee):
                poll.register(descriptor, select.POLLIN)
            if [ready for ready, _ in poll.poll()] != [door.fileno()]:
                return None
            try:
                data, descriptors = received(door, 3)
            except ConnectionResetError:  # it was let go of before anybody heard that it is ready
                data, descriptors = received(door, 3)  # what it was told before is there
            if not data:
                return None
            request = json.loads(data)
            channel, lifeline, log = descriptors
            os.kill(host, signal.SIGCONT)  # should somebody have stopped it
            socket.send_fds(line, [request["token"].encode()], [channel, log])
            print_to(log)
            self.mark.bear(request["token"])
            return Orders(channel, lifeline, request["memory"])
        return None


def received(line: socket.socket, count: int, flags: int = 0) -> tuple[bytes, list[int]]:
    """Return a message and the descriptors that came with it; it is empty at the end of them.

    ``socket.recv_fds`` would leave the flags out.
    """
    numbers = array("i")
    space = socket.CMSG_LEN(count * numbers.itemsize)
    flags |= socket.MSG_CMSG_CLOEXEC
    data, notes, _, _ = line.recvmsg(REQUEST_LIMIT, space, flags)
    for level, kind, rights in notes:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            numbers.frombytes(rights[: len(rights) - len(rights) % numbers.itemsize])
    return data, list(numbers)
