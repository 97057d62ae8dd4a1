"""The fork server: it has imported the modules for one kind of player, and forks the hosts.

A course's interface stores a game in file-scope variables, so each game needs a fresh process, but
not a fresh interpreter. The referee has one fork server for each kind of player, see
:mod:`ludograph.hosting.forkserver_client`. No player's code runs in it. It ends with the referee in
any case; its supervisors end by themselves.
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
    """Fork a supervisor with its player for every request, until the referee is gone.

    Parameters
    ----------
    control
        A socket of whole messages.
    referee
        A descriptor of the referee's process.
    kind, needed
        The kind of player, and the data that its runner needs before any game begins.
    wish
        The level of isolation; empty for the strongest that works here.
    """
    player, missing = prepared(kind, needed)
    level, lacking = found_level(wish)
    missing = missing or lacking
    model = Sandbox(level)
    if level is not Level.NONE and not missing:
        model = Sandbox(level, instructions=seccomp.program(level))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # supervisors are not waited for
    prctl(PR_SET_CHILD_SUBREAPER, 1)  # supervisors in namespaces are forked by one that ends
    with socket.socket(fileno=control) as line:
        server = ForkServer(line, referee, player, missing, model)
        gc.freeze()  # the collector does not write to shared pages
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
        A descriptor of the referee's process.
    player, missing
        As ``host.prepared`` has returned them.
    model
        The sandbox of a player without files of its own.
    """

    def __init__(
        self, line: socket.socket, referee: int, player: Runner, missing: str, model: Sandbox
    ) -> None:
        self.line, self.referee = line, referee
        self.player, self.missing, self.model = player, missing, model
        self.token = TokenInEnvironment()

    def serve(self) -> None:
        """Serve requests until the referee closes the socket or ends."""
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
    """The token in the environment of this process at its start, and of all that it forks.

    ``/proc`` shows this environment; a variable set later is stored elsewhere, where only started
    programs find it. The place is found once: other variables may move.
    """

    def __init__(self) -> None:
        getenv = ctypes.CDLL(None).getenv
        getenv.restype = ctypes.c_void_p
        self._place = getenv(TOKEN.encode())

    def replace(self, token: str) -> None:
        """Write another token there; all have the same length."""
        ctypes.memmove(self._place, token.encode(), len(token))
        os.environ[TOKEN] = token


@contextmanager
def _to_the_end() -> Iterator[None]:
    """Never let a forked process leave this block."""
    try:
        yield
    except BaseException:  # noqa: BLE001  (every exception is printed to the log)
        traceback.print_exc()
    finally:
        os._exit(1)


def found_level(wish: str) -> tuple[Level, str]:
    """Return the level of isolation, and the reason if none works here."""
    if wish == Level.NONE:
        return Level.NONE, ""
    found, reasons = strongest([Level(wish)] if wish else STRONGEST_FIRST)
    if found is not None:
        return found, ""
    return Level.NONE, no_isolation(reasons)


def _be_silent() -> None:
    """Close the pipe for this process's messages at its start, which is over."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)
