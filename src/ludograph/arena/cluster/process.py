"""The program that plays games on a machine of a cluster: one process for each thread of a worker.

Its arguments are the descriptor of a connection, from which it reads orders and on which it answers
with their results, and the worker's process id. It ends with the thread of the worker that started
it, even while it plays, and when no order comes for a minute.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import socket
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from ludograph.errors import HostFailure, InvalidInput, LudographError, MachineBusy, shortage
from ludograph.games import AnyGame
from ludograph.hosting.sandbox.syscalls import PR_SET_PDEATHSIG, prctl
from ludograph.rules.announcer import announcer

IDLE_SECONDS = 60.0


def order_of(game: AnyGame, function: Callable[..., Any], *arguments: object) -> bytes:
    """Return an order: a call of a function on a machine with the same rules of a game.

    An error that the function raises concerns all orders on this machine.
    """
    return pickle.dumps((game, game.version, function, arguments))


def answer(order: bytes) -> Any:
    """Return the result of an order, or the error for which this machine cannot play it."""
    try:
        return _call(order)
    except (LudographError, HostFailure, OSError) as error:
        return failure_here(error)


def _call(order: bytes) -> Any:
    try:
        game, version, function, arguments = pickle.loads(order)
    except Exception as error:
        raise InvalidInput(
            f"it cannot read the game, because other versions are installed: {error}"
        ) from error
    if game.version != version:
        raise InvalidInput(
            f"{game.name}: its rules are version {game.version}, the command needs version "
            f"{version}"
        )
    return function(*arguments)


def failure_here(error: LudographError | HostFailure | OSError) -> HostFailure | InvalidInput:
    """Return an error as one of this machine, which its message names."""
    of_input = isinstance(error, LudographError) and shortage(error) is None
    busy = isinstance(error, MachineBusy)
    kind = InvalidInput if of_input else MachineBusy if busy else HostFailure
    return kind(f"{socket.gethostname()}: {error}")


def serve(descriptor: int, parent: int) -> None:
    """Answer the orders of a worker, until none has come for a minute."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # with the worker; supervisors then end players
    if os.getppid() != parent:
        return  # it has ended already
    announcer.enabled = False
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    worker = Connection(descriptor)
    with contextlib.suppress(EOFError, BrokenPipeError):  # the worker has ended
        while worker.poll(IDLE_SECONDS):
            worker.send_bytes(pickle.dumps(answer(worker.recv_bytes())))


if __name__ == "__main__":
    serve(*map(int, sys.argv[1:]))
