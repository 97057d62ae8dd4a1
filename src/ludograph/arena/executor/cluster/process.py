"""The program that plays games on a machine of a cluster: one process for each core.

A worker of the cluster starts it. It reads pickled orders from the connection with a given
descriptor, and answers with their outcomes. It ends with the worker, and when no order comes for a
minute.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from multiprocessing.connection import Connection
from typing import Any

from ludograph.arena.executor.cluster.order import Order, OrderOutcome, brought, under_own_names
from ludograph.arena.executor.cluster.speed import factor, measure, scaled
from ludograph.arena.executor.cluster.worker import folder
from ludograph.arena.finished_game import FinishedGame
from ludograph.arena.playing import play_planned
from ludograph.errors import HostFailure, InvalidInput, LudographError, shortage
from ludograph.games import AnyGame
from ludograph.hosting.sandbox.self_test import check_isolation
from ludograph.players.isolation import Isolation
from ludograph.rules.announcer import announcer

IDLE_SECONDS = 60.0

measured = cache(measure)
isolated = cache(check_isolation)


def outcome_of(data: bytes) -> OrderOutcome:
    """Play the game of a pickled order; an error is an outcome, too."""
    machine, by, began = socket.gethostname(), 1.0, False
    try:
        order = _read(data)
        if order.reference is not None:
            by = factor(measured(order.planned.start.game.name), order.reference)
        began = True
        return OrderOutcome(machine, by, began, _played(order, by))
    except LudographError as error:
        kind = InvalidInput if shortage(error) is None else HostFailure
        return OrderOutcome(machine, by, began, kind(f"{machine}: {error}"))
    except (HostFailure, OSError) as error:
        return OrderOutcome(machine, by, began, HostFailure(f"{machine}: {error}"))


def _read(data: bytes) -> Order:
    """Return an order; raise InvalidInput if this machine cannot play it."""
    order: Order = unpickled(data)
    check_rules(order.planned.start.game, order.rules)
    if any(order.files):
        isolated((order.planned.options.isolation or Isolation()).level)
    return order


def unpickled(data: bytes) -> Any:
    """Return an order; raise InvalidInput if this machine lacks a class or module of it."""
    try:
        return pickle.loads(data)
    except Exception as error:
        raise InvalidInput(
            f"it cannot read the game, because other versions are installed: {error}"
        ) from error


def check_rules(game: AnyGame, version: int) -> None:
    """Raise InvalidInput if this machine has other rules of a game than the command."""
    if game.version != version:
        raise InvalidInput(
            f"{game.name}: its rules are version {game.version}, the command needs version "
            f"{version}"
        )


def _played(order: Order, by: float) -> FinishedGame:
    """Play the game of an order."""
    planned, options = order.planned, order.planned.options
    players = [
        brought(spec, files, folder())
        for spec, files in zip(planned.players, order.files, strict=True)
    ]
    options = replace(
        options,
        clock=scaled(options.clock, by),
        foreign_clock=scaled(options.foreign_clock, by),
    )
    game = play_planned(planned._replace(players=players, options=options))
    return under_own_names(game, order, folder())


def end_with(descriptor: int) -> None:
    """Kill this process when the other end of a connection is closed, even while it plays."""
    hung_up = select.poll()
    hung_up.register(descriptor, 0)
    hung_up.poll()
    os.kill(os.getpid(), signal.SIGKILL)  # supervisors notice it, and end players


def serve(outcome_of: Callable[[bytes], Any]) -> None:
    """Answer the orders of a worker, until none has come for a minute: main of such a program."""
    announcer.enabled = False
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    worker = Connection(int(sys.argv[1]))
    threading.Thread(target=end_with, args=(worker.fileno(),), daemon=True).start()
    with contextlib.suppress(EOFError, BrokenPipeError):  # the worker has ended
        while worker.poll(IDLE_SECONDS):
            worker.send_bytes(pickle.dumps(outcome_of(worker.recv_bytes())))


if __name__ == "__main__":
    serve(outcome_of)
