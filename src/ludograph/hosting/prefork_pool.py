"""The pool of supervisors and hosts forked ahead, each for a player that may come again.

To fork a process that holds an interpreter, to make its sandbox and to touch its memory for the
first time takes longer than a C player takes to start. So while a game runs that is not the first
of its players, those of the next one are prepared. They run none of a player's code, and end when
they were not used for some time.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from ludograph.hosting.start_orders import received

IDLE = 0.003
"""Seconds without a request until others are forked ahead: those asked for go first."""

EXPIRED = 10.0
"""Seconds without a request until those that were forked ahead end."""

MOST = 8
"""So many wait at any time."""

REMEMBERED = 8
"""So many requests are looked back at: who has come twice will come again."""

ALIKE = 2
"""So many wait for the same player, which may play against itself."""

END_SECONDS = 0.2


class Terms(NamedTuple):
    """All that must be known of a player before its process can go into its sandbox.

    Attributes
    ----------
    groups
        The folder in which control groups are made; empty for none.
    files
        Which files these are: one that has been replaced since is another.
    folder
        The working folder.
    """

    paths: tuple[str, ...]
    cache: str
    environment: tuple[tuple[str, str], ...]
    groups: str
    files: tuple[tuple[int, int] | None, ...]
    folder: str

    @classmethod
    def of(cls, request: dict[str, Any], folder: int) -> Terms:
        """Return those of a request; the folder is a descriptor."""
        place = f"/proc/self/fd/{folder}"
        paths, cache = tuple(request["paths"]), request["cache"]
        files = tuple(map(identity, (*paths, cache, place)))
        environment = tuple(request["environment"].items())
        return cls(paths, cache, environment, request["groups"], files, os.readlink(place))

    def hold(self) -> bool:
        """Tell whether the files are still the same."""
        return self.files == tuple(map(identity, (*self.paths, self.cache, self.folder)))


def identity(path: str) -> tuple[int, int] | None:
    """Return what tells a file from all others that exist; None if it is not there."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


class IdleSupervisor:
    """A supervisor that waits, as its fork server knows it.

    Parameters
    ----------
    door
        The fork server's end of the socket to it.
    """

    def __init__(self, terms: Terms, door: socket.socket) -> None:
        self.terms, self.door = terms, door
        self.process = -1  # a descriptor, once it is ready

    def look(self) -> bool:
        """Note whether it is ready; return False if it has failed."""
        if self.process >= 0:
            return True
        try:
            said, descriptors = received(self.door, 1, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return True
        except OSError:
            return False
        if not said:
            return False
        (self.process,) = descriptors
        return True

    def tell(self, data: bytes, descriptors: Sequence[int]) -> bool:
        """Hand a player over; return False if it is gone."""
        try:
            if self.process >= 0:
                signal.pidfd_send_signal(self.process, signal.SIGCONT)  # had somebody stopped it
            socket.send_fds(self.door, [data], descriptors)
        except OSError:
            return False
        finally:
            self.close()
        return True

    def close(self) -> None:
        """Let go of it; it ends, unless it has got a player."""
        self.door.close()
        if self.process >= 0:
            os.close(self.process)
            self.process = -1


class PreforkPool:
    """Those that wait.

    Parameters
    ----------
    fork
        Forks one for a player, and returns the fork server's end of the socket to it.
    works
        Whether hosts can come up at all.
    """

    def __init__(self, fork: Callable[[Terms], socket.socket], *, works: bool) -> None:
        self._fork = fork
        self._idle: list[IdleSupervisor] = []
        self._last: deque[Terms] = deque(maxlen=REMEMBERED)
        self._asked = time.monotonic()
        self._filled, self._works, self._proven = True, works, False

    def pause(self) -> float | None:
        """Return the milliseconds until something is to be done; None if there is nothing."""
        if not self._filled:
            return 1000.0 * IDLE
        if not self._idle:
            return None
        return max(0.0, 1000.0 * (self._asked + EXPIRED - time.monotonic()))

    def give(self, terms: Terms, data: bytes, descriptors: Sequence[int]) -> bool:
        """Hand a player over to one that waits for it; return False if there is none.

        One that is not ready yet will do where others have got so far.
        """
        self._last.append(terms)
        self._asked, self._filled = time.monotonic(), False
        self._look()
        for idle in [idle for idle in self._idle if idle.terms == terms]:
            if self._proven or idle.process >= 0:
                self._idle.remove(idle)
                if idle.tell(data, descriptors):
                    return True
        return False

    def tend(self) -> None:
        """Fork what the next game may need, or end what nobody needs any more."""
        if self._filled:
            self.close()
            return
        self._filled = True
        self._look()
        for terms, count in Counter(self._last).items() if self._works else ():
            there = sum(idle.terms == terms for idle in self._idle)
            wanted = min(count // 2, ALIKE) if terms.hold() else 0
            for _ in range(wanted - there):
                self._idle.append(IdleSupervisor(terms, self._fork(terms)))
        while len(self._idle) > MOST:
            self._idle.pop(0).close()

    def _look(self) -> None:
        """Leave out those that have failed: then there are to be no others."""
        for idle in list(self._idle):
            if not idle.look():
                self._works = self._works and idle.process >= 0
                self._idle.remove(idle)
                idle.close()
            self._proven = self._proven or idle.process >= 0

    def forget(self) -> None:
        """Close what belongs to the process that has forked this one."""
        for idle in self._idle:
            idle.close()
        self._idle = []

    def close(self) -> None:
        """End all, and wait for their ends."""
        until = time.monotonic() + END_SECONDS
        self._look()
        for idle in self._idle:
            idle.door.close()
        for idle in self._idle:
            poll = select.poll()
            if idle.process >= 0:
                poll.register(idle.process, select.POLLIN)
                with suppress(OSError):
                    poll.poll(max(0.0, 1000.0 * (until - time.monotonic())))
        self.forget()
