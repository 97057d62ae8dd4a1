"""What the value of a position means on a page: a chance to win, a place, or points.

Searches mix the result of a game with its margin, as far as that helps them to play. A person
cannot read such a mix. So the search of a page has one measure: chances to win between two seats,
places between more, points where a game's own search counts points.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from ludograph.search.mcts import MonteCarlo

MOSTLY_POINTS = 0.5
"""The weight of the margin from which on a search counts points."""

Unit = Literal["win", "place", "points"]


class Measure(NamedTuple):
    """How rewards of a search are read.

    Attributes
    ----------
    unit
        ``win``: the chance to win, a draw counting half, from 0 to 1; ``place``: the expected
        place, from 1 to ``seats``; ``points``: how far the seat is expected to end ahead of the
        best other one.
    seats
        The number of seats.
    cap
        The margin in points whose reward is 1.
    """

    unit: Unit
    seats: int
    cap: float

    def read(self, reward: float) -> float:
        """Return a reward between 0 and 1 in this unit."""
        if self.unit == "points":
            return round((2.0 * reward - 1.0) * self.cap, 1)
        if self.unit == "place":
            return round(1.0 + (1.0 - reward) * (self.seats - 1), 2)
        return round(reward, 3)

    def size(self, difference: float) -> float:
        """Return a difference of rewards in this unit."""
        return abs(self.read(difference) - self.read(0.0))


def unmix(search: MonteCarlo) -> None:
    """Let a search count results only, or points only, before its first simulation."""
    for tree in (*search.memory.trees, *(search.memory.spare or ())):
        weight = float(tree.settings.margin_weight)
        tree.settings.margin_weight = 1.0 if weight >= MOSTLY_POINTS else 0.0


def measure_of(search: MonteCarlo, seats: int) -> Measure:
    """Return how the rewards of an unmixed search are read."""
    settings = search.trees[0].settings
    cap = float(settings.margin_cap)
    if settings.margin_weight > 0 and cap > 1.0:  # within 1 they are chances to win
        return Measure("points", seats, cap)
    return Measure("win" if seats == 2 else "place", seats, cap)
