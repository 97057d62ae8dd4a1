"""The fork server: it has imported what the hosts of one kind of player need, and forks them.

An interface of a course keeps a game in file-scope variables, so each game needs a fresh process;
it need not be a fresh interpreter. The referee keeps one such process for each kind of player, see
:mod:`ludograph.hosting.forkserver_client`. None of a player's code runs in it. It ends with the
referee, however that ends; the supervisors that it has forked see to themselves.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import select
import signal
import socket
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from ludograph.hosting.host import Runner, prepared
from ludograph.hosting.host import serve as serve_referee
from ludograph.hosting.leftover_processes import TOKEN
from ludograph.hosting.sandbox import seccomp
from ludograph.hosting.sandbox.mounts import system
from ludograph.hosting.sandbox.sandbox import Sandbox
from ludograph.hosting.sandbox.self_test import no_isolation, strongest
from ludograph.hosting.sandbox.syscalls import PR_SET_CHILD_SUBREAPER, prctl
from ludograph.hosting.supervisor import Orders, supervise
from ludograph.hosting.waiting import received_with_descriptors
from ludograph.players.isolation import STRONGEST_FIRST, Level

REQUEST_BYTES = 1 << 16

DESCRIPTORS = 4
"""With each request: channel, lifeline, the log to write to, the working folder."""


def serve(control: int, referee: int, kind: str, needed: str, wish: str) -> NoReturn:
    """Fork a supervisor with its player for every request, until the referee hangs up or dies.

    Parameters
    ----------
    control
        A socket of whole messages.
    referee
        A descriptor of the referee's process.
    kind, needed
        Which player, and what its runner must know before any game begins.
    wish
        The level of isolation; empty for the strongest that holds.
    """
    player, missing = prepared(kind, needed)
    level, lacking = found_level(wish)
    missing = missing or lacking
    model = Sandbox(level)
    if level is not Level.NONE and not missing:
        model = Sandbox(level, instructions=seccomp.program(), system=system())
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for supervisors
    prctl(PR_SET_CHILD_SUBREAPER, 1)  # supervisors in namespaces are forked by one that ends
    with socket.socket(fileno=control) as line:
        server = ForkServer(line, referee, player, missing, model)
        gc.freeze()  # what all share is not written to
        _be_silent()
        server.serve()
    os._exit(0)


class ForkServer:
    """Forks a supervisor with its host for every request.

    Parameters
    ----------
    line
        The socket to the referee.
    referee
        A descriptor of its process.
    player, missing
        As ``host.prepared`` has returned them.
    model
        The sandbox of a player that sees nothing of its own.
    """

    def __init__(
        self, line: socket.socket, referee: int, player: Runner, missing: str, model: Sandbox
    ) -> None:
        self.line, self.referee = line, referee
        self.player, self.missing, self.model = player, missing, model
        self.token = TokenInEnvironment()

    def serve(self) -> None:
        """Do so until the referee hangs up or dies."""
        poll = select.poll()
        poll.register(self.line, select.POLLIN)
        poll.register(self.referee, select.POLLIN)
        while self.referee not in [descriptor for descriptor, _ in poll.poll()]:
            request, descriptors = received_with_descriptors(self.line, REQUEST_BYTES, DESCRIPTORS)
            if not request:
                break
            if os.fork() == 0:
                with _to_the_end():
                    self._become_supervisor(json.loads(request), descriptors)
            for descriptor in descriptors:
                os.close(descriptor)

    def _become_supervisor(self, request: dict[str, Any], descriptors: list[int]) -> NoReturn:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        self.line.close()
        channel, lifeline, log, folder = descriptors
        for stream in (1, 2):
            os.dup2(log, stream)
        os.fchdir(folder)
        os.close(log)
        os.close(folder)
        self.token.replace(request["token"])
        sandbox = Sandbox.of(request["paths"], request["cache"], request["groups"], self.model)
        if not self.missing:
            sandbox.enter()
        player, missing, level = self.player, self.missing, str(sandbox.level)
        supervise(
            Orders(channel, lifeline, request["memory"]),
            self.referee,
            lambda page, channel: serve_referee(channel, player, missing, page, level),
            sandbox,
        )


class TokenInEnvironment:
    """The token in the environment that this process was started with, and all that it forks.

    That is what ``/proc`` shows of them; a variable that is set anew lies elsewhere and is seen by
    programs that are started. The place is found once: other variables may move.
    """

    def __init__(self) -> None:
        getenv = ctypes.CDLL(None).getenv
        getenv.restype = ctypes.c_void_p
        self._place = getenv(TOKEN.encode())

    def replace(self, token: str) -> None:
        """Write another token there; all are of the same length."""
        ctypes.memmove(self._place, token.encode(), len(token))
        os.environ[TOKEN] = token


@contextmanager
def _to_the_end() -> Iterator[None]:
    """Let no forked process come back from what is done here."""
    try:
        yield
    except BaseException:  # noqa: BLE001  (whatever it is, it is printed where it may be read)
        traceback.print_exc()
    finally:
        os._exit(1)


def found_level(wish: str) -> tuple[Level, str]:
    """Return the level of isolation, and why there is none where none holds."""
    if wish == Level.NONE:
        return Level.NONE, ""
    found, reasons = strongest([Level(wish)] if wish else STRONGEST_FIRST)
    if found is not None:
        return found, ""
    return Level.NONE, no_isolation(reasons)


def _be_silent() -> None:
    """Let go of the referee's end of this process's own messages: it has come up."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)
