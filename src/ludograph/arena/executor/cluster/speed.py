"""How fast a machine is: the time of a short, fixed work, by which clocks are scaled.

A move that may take a second on the machine where a tournament was begun may take two on one that
is half as fast: then players search as far on both, and who plays where does not matter. Testers
of chess engines do the same on machines of volunteers.
"""

from __future__ import annotations

import time

from ludograph.games.bulk import playouts
from ludograph.games.registry import game
from ludograph.referee.clock import LONGEST, Clock

GAMES = 20_000
REPEATS = 5

LEAST, MOST = 0.1, 10.0
"""How much clocks are scaled: what is beyond has been measured wrong."""


def measure(name: str) -> float:
    """Return the processor time of many random games, in seconds: the least of a few.

    They are what searches by simulation spend their time on, and the same ones on every machine:
    from a small start that the game itself brings along.
    """
    start = next(iter(game(name).samples()))
    playouts(start, 1, threads=1)  # what is to be compiled or loaded
    times = []
    for _ in range(REPEATS):
        began = time.process_time()
        playouts(start, GAMES, threads=1)
        times.append(time.process_time() - began)
    return min(times)


def factor(here: float, reference: float) -> float:
    """Return by how much clocks are longer here than where the reference was measured.

    Examples
    --------
    >>> factor(0.04, 0.02), factor(5, 0.001)
    (2.0, 10.0)
    """
    return round(min(max(here / reference, LEAST), MOST), 2)


def scaled(clock: str | None, by: float) -> Clock | None:
    """Return a clock with all its times multiplied.

    Examples
    --------
    >>> scaled("60s+1s", 0.5)
    Clock(move=None, game=30.0, increment=0.5, start=None)
    """
    if clock is None:
        return None
    rule = Clock.parse(clock)
    move, whole, start = (
        None if t is None else min(t * by, LONGEST) for t in (rule.move, rule.game, rule.start)
    )
    return Clock(move, whole, min(rule.increment * by, LONGEST), start)
