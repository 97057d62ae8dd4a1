"""The speed of a machine, measured by random games, and clocks that are scaled by it.

A scaled clock that allows one second on the machine that runs a tournament allows two on a machine
that is half as fast. So players search equally far on both machines. Fishtest, which tests
Stockfish on volunteers' machines, does the same. Other work on a machine falsifies its measurement,
so clocks are scaled only where that is asked.
"""

from __future__ import annotations

import time

from ludograph.games.bulk import playouts
from ludograph.games.registry import game
from ludograph.referee.clock import LONGEST, Clock

GAMES = 20_000
REPEATS = 5

UNEQUAL = 1.3
"""The ratio of the slowest machine to the fastest above which players are not treated alike."""

LEAST, MOST = 0.1, 10.0
"""Limits of the factor by which clocks are scaled: beyond them the measurement was wrong."""


def measure(name: str) -> float:
    """Return the processor time of 20,000 random games in seconds, the least of five measurements.

    Searches by simulation spend their time on such games. They are the same on every machine: all
    begin from a small position that the game declares.
    """
    start = next(iter(game(name).samples()))
    playouts(start, 1, threads=1)  # compile or load, outside of the measurement
    times = []
    for _ in range(REPEATS):
        began = time.process_time()
        playouts(start, GAMES, threads=1)
        times.append(time.process_time() - began)
    return min(times)


def factor(here: float, reference: float) -> float:
    """Return the factor by which clocks are longer here than on the machine of the reference.

    Examples
    --------
    >>> factor(0.04, 0.02), factor(5, 0.001)
    (2.0, 10.0)
    """
    return round(min(max(here / reference, LEAST), MOST), 2)


def scaled(clock: Clock | None, by: float) -> Clock | None:
    """Return a clock with all its times multiplied.

    Examples
    --------
    >>> scaled(Clock.parse("60s+1s"), 0.5)
    Clock(move=None, game=30.0, increment=0.5, start=None)
    """
    if clock is None:
        return None
    move, whole, start = (
        None if t is None else min(t * by, LONGEST) for t in (clock.move, clock.game, clock.start)
    )
    return Clock(move, whole, min(clock.increment * by, LONGEST), start)
