"""A process that plays the games of orders: started by a worker of a cluster, one for each core.

It reads orders from standard input and writes what came of them to standard output, each behind
its length. It ends with what has started it, and when nothing comes for a while. Not in the
worker itself: there are threads, signals and limits of others, and whoever crashes it would take
other games with it.
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
from ludograph.arena.finished import FinishedGame
from ludograph.arena.playing import play_from
from ludograph.errors import HostFailure, InvalidInput, LudographError
from ludograph.games import Position
from ludograph.players.isolation.levels import Isolation, Level
from ludograph.players.isolation.trial import check_isolation
from ludograph.referee.options import MatchOptions
from ludograph.rules.announcer import announcer
from ludograph.version import VERSION

IDLE_SECONDS = 60.0

FOLDER = "ludograph/players"
"""Among the user's caches."""


def folder() -> Path:
    """Return where players' files are put."""
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / FOLDER


class Machine:
    """What plays on a machine, and knows how fast that is."""

    def __init__(self) -> None:
        self.name = socket.gethostname()
        self._seconds: dict[str, float] = {}
        self._isolations: set[str] = set()  # that hold here

    def play(self, errand: Errand) -> OrderOutcome:
        """Play a game; what goes wrong is said."""
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
        """Return an order that this machine can play, with its files put down.

        Raises
        ------
        InvalidInput
            If it cannot.
        """
        order = msgspec.msgpack.decode(errand.order, type=GameOrder)
        if order.ludograph != VERSION:
            raise InvalidInput(f"it has Ludograph {VERSION}, {order.ludograph} is wanted")
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
    """Play what is sent, until nothing more comes."""
    announcer.enabled = False
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything prints is no answer
    errands: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def hear() -> None:
        try:
            while True:
                errands.put(receive(sys.stdin.buffer))
        except EOFError:
            os.kill(os.getpid(), signal.SIGKILL)  # keepers see that it is gone, and end the players

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
