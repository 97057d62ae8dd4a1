"""The unit of a position's value on a page: a chance to win, a place, or points.

Searches mix the result of a game with its margin, because that helps them to play. People cannot
read such a mixture. So the search of a page has one measure: chances to win for two seats, places
for more, points if a game's own search counts points.
"""

from __future__ import annotations

from statistics import median
from typing import Literal, NamedTuple

from ludograph import rules
from ludograph.games import Position
from ludograph.rules import random_state
from ludograph.search.mcts import MonteCarlo
from ludograph.search.mcts.options import SearchOptions
from ludograph.search.searched import TREE

MOSTLY_POINTS = 0.5
"""The least weight of the margin with which a search counts points."""

Unit = Literal["win", "place", "points"]


class Measure(NamedTuple):
    """The unit of a search's rewards.

    Attributes
    ----------
    unit
        ``win``: the chance to win, a draw counting half, from 0 to 1; ``place``: the expected
        place, from 1 to ``seats``; ``points``: the expected lead of the seat over the best other
        one.
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


def counts_points(position: Position) -> bool:
    """Tell whether the game's own search counts points rather than results.

    The value of such a search is not a chance to win, although it is between 0 and 1.
    """
    options = position.game.search_view(position, TREE).options
    return options is not None and is_mostly_points(options, position.setup)


def is_mostly_points(options: SearchOptions, setup: rules.Setup) -> bool:
    """Tell whether a search with these options counts points rather than results."""
    if options.margin_weight < MOSTLY_POINTS:
        return False
    info = rules.info(setup)
    cap = options.margin_cap
    return (info.highest_score - info.lowest_score if cap is None else cap) > 1.0


PLAYOUTS = 64
"""The number of random games for the measurement of the spread of results."""


def usual_spread(start: Position) -> float:
    """Return the usual spread of results in points, from random games from a start.

    It is the median distance of the first seat's margin from its median, so that a few extreme
    results, for example after an elimination, do not count. The same start gives the same number.
    """
    rng = random_state(0, 0)
    margins = []
    for _ in range(PLAYOUTS):
        own, *others = start.playout(rng)
        margins.append(own - max(others))
    middle = median(margins)
    return median(abs(margin - middle) for margin in margins)


def unmix(search: MonteCarlo) -> None:
    """Make a search count only results, or only points, before its first simulation."""
    for tree in (*search.trees, *(search.spare or ())):
        weight = float(tree.settings.margin_weight)
        tree.settings.margin_weight = 1.0 if weight >= MOSTLY_POINTS else 0.0


def measure_of(search: MonteCarlo, seats: int) -> Measure:
    """Return the unit of the rewards of an unmixed search."""
    settings = search.trees[0].settings
    cap = float(settings.margin_cap)
    if settings.margin_weight > 0 and cap > 1.0:  # within 1 they are chances to win
        return Measure("points", seats, cap)
    return Measure("win" if seats == 2 else "place", seats, cap)
