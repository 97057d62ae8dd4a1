"""The setup for searches of Penguins: the board as tile sets, and a memo of isolated regions.

The rules are those of the game; proven scores and bounds come from
:mod:`ludograph.games.penguins.bounds`, values from :mod:`ludograph.games.penguins.evaluation`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.penguins.setup import PenguinsSetup
from ludograph.games.penguins.tile_sets import TileSets, make_tile_sets
from ludograph.search.mcts.options import SearchOptions

EFFORT = 2000
"""The moves and undone moves within a proof, at most."""

MEMO = 2**16
"""The number of entries of the memo."""

TUNED = SearchOptions(c=0.3, margin_weight=0.35, margin_cap=20.0)
"""Leaves are estimates, so the margin counts beside the win. A weight of 0.7 was worse
with two seats (0.4 won 14.5 of 24 games against it) and with three (0.3 beat 62 % of them)."""


class PenguinsSearchSetup(NamedTuple):
    """The setup of one search of a game of Penguins; the search's threads share it."""

    base: PenguinsSetup
    effort: int
    """The moves and undone moves in a proof of a region, at most."""
    sets: TileSets
    """The board as tile sets, for evaluations."""
    memo: npt.NDArray[np.uint64]
    """``uint64[any]``: the proven results of isolated regions, 0 at first. They only save time, and
    an entry is written as a whole."""


def make_search_setup(
    setup: PenguinsSetup, *, effort: int = EFFORT, memo: int = MEMO
) -> PenguinsSearchSetup:
    """Return a Setup with a new memo; states are those of the game's own Setup."""
    return PenguinsSearchSetup(setup, effort, make_tile_sets(setup), np.zeros(memo, np.uint64))
