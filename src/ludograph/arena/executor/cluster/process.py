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
)
from ludograph.arena.executor.cluster.speed import factor, measure, scaled
from ludograph.arena.tournament.playing import play_from
from ludograph.errors import HostFailure, InvalidInput, LudographError
from ludograph.players.isolation.levels import Isolation, Level
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

    def play(self, errand: Errand) -> OrderOutcome:
        """Play a game; what goes wrong is said."""
        try:
            return self._play(errand)
        except LudographError as error:
            return OrderOutcome(self.name, error=f"{self.name}: {error}", wrong=True)
        except (HostFailure, OSError) as error:
            return OrderOutcome(self.name, error=f"{self.name}: {error}")

    def _play(self, errand: Errand) -> OrderOutcome:
        order = msgspec.msgpack.decode(errand.order, type=GameOrder)
        if order.ludograph != VERSION:
            raise InvalidInput(f"it has Ludograph {VERSION}, {order.ludograph} is wanted")
        put_down(order, errand.contents, folder())
        by = self._factor(order)
        game = play_from(
            restored(order.start),
            order.key,
            order.start_seed,
            [brought(player, folder()) for player in order.players],
            MatchOptions.checked(
                seed=order.seed,
                chance_seed=order.chance_seed,
                clock=scaled(order.clock, by),
                foreign_clock=scaled(order.foreign_clock, by),
                opening=order.opening,
                isolation=Isolation(
                    Level(order.isolation) if order.isolation else None, order.memory
                ),
            ),
        )
        return OrderOutcome(self.name, by, game)

    def _factor(self, order: GameOrder) -> float:
        if order.reference is None:
            return 1.0
        name = order.start.game
        if name not in self._seconds:
            self._seconds[name] = measure(name)
        return factor(self._seconds[name], order.reference)


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
