"""A process that has imported what the hosts of one kind of player need, and forks them.

An interface of a course keeps a game in file-scope variables, so each game needs a fresh process;
it need not be a fresh interpreter. The referee keeps one such process for each kind of player, see
:mod:`ludograph.players.warm`. None of a player's code runs in it. It ends with the referee, however
that ends; the keepers that it has forked see to themselves.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import select
import signal
import socket
from typing import Any, NoReturn

from ludograph.players.host import Runner, prepared
from ludograph.players.host import serve as serve_referee
from ludograph.players.isolation import seccomp
from ludograph.players.isolation.cell import Cell
from ludograph.players.isolation.kernel import PR_SET_CHILD_SUBREAPER, prctl
from ludograph.players.isolation.levels import STRONGEST_FIRST, Level
from ludograph.players.isolation.trial import no_isolation, strongest
from ludograph.players.isolation.view import system
from ludograph.players.keeper import keep
from ludograph.players.processes import TOKEN

REQUEST_LIMIT = 1 << 16
DESCRIPTORS = 4
"""With each request: channel, lifeline, the log to write to, the working folder."""


def serve(control: int, referee: int, kind: str, needed: str, wish: str) -> NoReturn:
    """Fork a keeper with its player for every request, until the referee hangs up or dies.

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
    model = Cell(level)
    if level is not Level.NONE and not missing:
        model = Cell(level, instructions=seccomp.program(), system=system())
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for keepers
    prctl(PR_SET_CHILD_SUBREAPER, 1)  # keepers in namespaces are forked by one that ends
    gc.freeze()  # what all share is not written to
    _be_silent()
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(referee, select.POLLIN)
    with socket.socket(fileno=control) as line:
        while not any(descriptor == referee for descriptor, _ in poll.poll()):
            flags = socket.MSG_CMSG_CLOEXEC
            data, descriptors, _, _ = socket.recv_fds(line, REQUEST_LIMIT, DESCRIPTORS, flags)
            if not data:
                break
            if os.fork() == 0:
                line.close()
                request = json.loads(data)
                cell = Cell.of(request, model)
                _become_keeper(request, descriptors, referee, player, missing, cell)
            for descriptor in descriptors:
                os.close(descriptor)
    os._exit(0)


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


def _become_keeper(
    request: dict[str, Any],
    descriptors: list[int],
    referee: int,
    player: Runner,
    missing: str,
    cell: Cell,
) -> NoReturn:
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        channel, lifeline, log, folder = descriptors
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.close(log)
        os.fchdir(folder)
        os.close(folder)
        bear(request["token"])
        os.environ.update(request["environment"])
        if not missing:
            cell.enter()
        level = str(cell.level)
        keep(
            channel,
            lifeline,
            referee,
            lambda page: serve_referee(channel, player, missing, page, level),
            cell,
        )
    finally:
        os._exit(1)


def bear(token: str) -> None:
    """Write the token into the environment that this process was started with.

    That is what ``/proc`` shows of it and of those that it forks; a variable that is set anew lies
    elsewhere and is seen by programs that are started.
    """
    getenv = ctypes.CDLL(None).getenv
    getenv.restype = ctypes.c_void_p
    ctypes.memmove(getenv(TOKEN.encode()), token.encode(), len(token))
    os.environ[TOKEN] = token
