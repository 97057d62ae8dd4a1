"""The program that plays games on a machine of a cluster: one process for each core.

A worker of the cluster starts it. It reads orders from standard input and writes their outcomes to
standard output, each behind its length. It ends with the worker, and when no order comes for a
while. Games are not played in the worker itself: its threads, signals and limits belong to Dask,
and a crash would end other games, too.
"""

from __future__ import annotations

import os
import queue
import signal
import socket
import sys
import threading
from pathlib import Path

import msgspec

from ludograph.arena.executor.cluster.orders import (
    Errand,
    GameOrder,
    OrderOutcome,
    brought,
    put_down,
    receive,
    restored,
    send,
    under_own_names,
)
from ludograph.arena.executor.cluster.speed import factor, measure, scaled
from ludograph.arena.finished_game import FinishedGame
from ludograph.arena.playing import play_from
from ludograph.errors import HostFailure, InvalidInput, LudographError
from ludograph.games import Position
from ludograph.hosting.sandbox.self_test import check_isolation
from ludograph.players.isolation import Isolation, Level
from ludograph.referee.options import MatchOptions
from ludograph.rules.announcer import announcer
from ludograph.version import VERSION

IDLE_SECONDS = 60.0

FOLDER = "ludograph/players"
"""The folder of players' files, in the user's cache folder."""


def folder() -> Path:
    """Return the folder into which players' files are written."""
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / FOLDER


class Machine:
    """Plays orders on this machine, whose speed it measures once for each game."""

    def __init__(self) -> None:
        self.name = socket.gethostname()
        self._seconds: dict[str, float] = {}
        self._isolations: set[str] = set()  # that were checked here

    def play(self, errand: Errand) -> OrderOutcome:
        """Play the game of an order; an error becomes the sentence of the outcome."""
        began = False
        try:
            order = self._checked(errand)
            start = restored(order.start)
            by = self._factor(order)
            began = True
            return OrderOutcome(self.name, by, _played(order, start, by))
        except LudographError as error:
            wrong, sentence = True, f"{self.name}: {error}"
        except (HostFailure, OSError) as error:
            wrong, sentence = False, f"{self.name}: {error}"
        return OrderOutcome(self.name, error=sentence, wrong=wrong, played=began)

    def _checked(self, errand: Errand) -> GameOrder:
        """Return the decoded order, after its files were written.

        Raises
        ------
        InvalidInput
            If this machine cannot play it.
        """
        order = msgspec.msgpack.decode(errand.order, type=GameOrder)
        if order.ludograph != VERSION:
            raise InvalidInput(
                f"it has Ludograph {VERSION}, the tournament needs {order.ludograph}"
            )
        if order.digests and order.isolation not in self._isolations:
            check_isolation(Level(order.isolation) if order.isolation else None)
            self._isolations.add(order.isolation)
        put_down(order, errand.contents, folder())
        return order

    def _factor(self, order: GameOrder) -> float:
        if order.reference is None:
            return 1.0
        name = order.start.game
        if name not in self._seconds:
            self._seconds[name] = measure(name)
        return factor(self._seconds[name], order.reference)


def _played(order: GameOrder, start: Position, clock_factor: float) -> FinishedGame:
    """Play the game of an order."""
    players = [brought(player, folder()) for player in order.players]
    level = Level(order.isolation) if order.isolation else None
    options = MatchOptions.checked(
        seed=order.seed,
        chance_seed=order.chance_seed,
        hide_chance=order.hide_chance,
        clock=scaled(order.clock, clock_factor),
        foreign_clock=scaled(order.foreign_clock, clock_factor),
        opening=order.opening,
        isolation=Isolation(level, order.memory),
    )
    game = play_from(start, order.key, order.start_seed, players, options)
    return under_own_names(game, order, folder())


def main() -> None:
    """Play the orders from standard input, until none has come for a minute."""
    announcer.enabled = False
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what other code prints is no outcome
    errands: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def hear() -> None:
        try:
            while True:
                errands.put(receive(sys.stdin.buffer))
        except EOFError:
            os.kill(os.getpid(), signal.SIGKILL)  # supervisors notice it, and end players

    threading.Thread(target=hear, daemon=True).start()
    machine = Machine()
    while True:
        try:
            data = errands.get(timeout=IDLE_SECONDS)
        except queue.Empty:
            return
        outcome = machine.play(msgspec.msgpack.decode(data, type=Errand))
        send(answers, msgspec.msgpack.encode(outcome))


if __name__ == "__main__":
    main()
