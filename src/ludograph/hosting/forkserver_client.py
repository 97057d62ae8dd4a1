"""The referee's fork servers: one for each kind of player and game, kept from match to match."""

from __future__ import annotations

import atexit
import json
import os
import resource
import signal
import socket
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import Any

from ludograph.errors import HostFailure
from ludograph.hosting import script
from ludograph.hosting.output_log import Log
from ludograph.hosting.process_tree import TOKEN, children
from ludograph.hosting.sandbox.privileges import raise_limit_of_files
from ludograph.players.isolation import environment

END_SECONDS = 0.25
NO_TOKEN = "0" * 32
"""A placeholder with the length of a token, which replaces it in the forked processes."""

HASH_SEED = "0"
"""The seed of text hashes, and so of the order of sets, in Python players: the same in every
game."""

LIMITS = tuple(getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_"))


class ForkServerProcess:
    """A process that forks hosts, see :mod:`ludograph.hosting.forkserver`.

    Parameters
    ----------
    kind, needed
        The kind of players, and the data that their runner needs, see ``host.Runner``.
    wish
        The level of isolation; empty for the strongest that works here.
    """

    def __init__(self, kind: str, needed: str, wish: str) -> None:
        with ExitStack() as ours, ExitStack() as theirs:
            self.control, their_control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            ours.callback(self.control.close)
            theirs.callback(their_control.close)
            read_end, write_end = os.pipe()
            theirs.callback(os.close, write_end)
            self.log = Log(read_end)
            ours.callback(self.log.close)
            end = their_control.fileno()
            self.process = subprocess.Popen(
                script("forkserver", str(end), str(os.getpid()), kind, needed, wish),
                stdin=subprocess.DEVNULL,
                stdout=write_end,
                stderr=write_end,
                pass_fds=[end],
                env={
                    **environment(wish),
                    TOKEN: NO_TOKEN,
                    "PYTHONUNBUFFERED": "1",
                    "PYTHONHASHSEED": HASH_SEED,
                },
                start_new_session=True,
            )
            ours.pop_all()

    def ends_within(self, seconds: float) -> bool:
        """Tell whether the process ends within some seconds."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        return self.process.returncode is not None

    def resume(self) -> None:
        """Let the process run, in case a player has stopped it."""
        self.process.send_signal(signal.SIGCONT)

    def fork(self, request: Mapping[str, Any], descriptors: Sequence[int]) -> None:
        """Ask for a host; raise OSError if the process is gone."""
        self.resume()
        if self.process.poll() is not None:
            raise BrokenPipeError
        folder = os.open(".", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            payload = json.dumps(request).encode()
            socket.send_fds(self.control, [payload], [*descriptors, folder])
        finally:
            os.close(folder)

    def printed(self) -> str:
        """Return the process's output before it was ready: the reason why it failed."""
        self.log.close()
        return self.log.text()

    def close(self) -> None:
        """Close the socket, so that the process ends; running games continue, and it with them."""
        self.control.close()
        self.log.close()
        self.resume()
        if not self.ends_within(END_SECONDS) and not children(self.process.pid):
            self.process.kill()
            self.process.wait()


class ForkServers:
    """The fork servers of this process; one for each kind of player and game."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[tuple[str, ...], tuple[Any, ForkServerProcess]] = {}
        atexit.register(self.close)
        os.register_at_fork(after_in_child=self._forget)

    def fork(
        self,
        place: tuple[str, str, str],
        request: Mapping[str, Any],
        descriptors: Sequence[int],
    ) -> ForkServerProcess:
        """Have a fork server fork a supervisor and its host; return the fork server.

        It is the one of the last game, unless it has ended or the inherited environment, limits or
        processors have changed since then.

        Parameters
        ----------
        place
            The kind of player, the data for its runner, and the level of isolation.
        request, descriptors
            The fork server's data of a player.

        Raises
        ------
        HostFailure
            If the fork server does not start up.
        OSError
            If its process cannot be started.
        """
        raise_limit_of_files()
        now = inherited()
        with self._lock:
            then, server = self._kept.get(place, (None, None))
            if server is not None and then == now:
                with suppress(BrokenPipeError, ConnectionError):
                    server.fork(request, descriptors)
                    return server
            if server is not None:
                del self._kept[place]
                server.close()
            server = ForkServerProcess(*place)
            self._kept[place] = now, server
            try:
                server.fork(request, descriptors)
            except (BrokenPipeError, ConnectionError) as error:
                printed = server.printed()
                raise HostFailure(
                    f"a host did not start ({error}); it printed: {printed}"
                ) from None
            return server

    def close(self) -> None:
        """End all; the next game starts another."""
        with self._lock:
            while self._kept:
                self._kept.popitem()[1][1].close()

    def _forget(self) -> None:
        """Forget the fork servers of this process's parent, which ends them itself."""
        self._lock = threading.Lock()
        for _, server in self._kept.values():
            server.control.close()
            server.process.returncode = 0  # not this process's child, so it cannot be waited for
        self._kept.clear()


def inherited() -> tuple[Any, ...]:
    """Return the settings that a process inherits from its parent."""
    limits = tuple(resource.getrlimit(which) for which in LIMITS)
    return dict(os.environ), limits, os.sched_getaffinity(0)


FORK_SERVERS = ForkServers()
