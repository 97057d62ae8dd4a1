"""The setup for searches of Penguins: the board as sets, memory for proofs of isolated penguins.

The rules are those of the game; proven scores and bounds come from
:mod:`ludograph.games.penguins.bounds`, values from :mod:`ludograph.games.penguins.playouts`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.penguins.setup import PenguinsSetup
from ludograph.games.penguins.tile_sets import TileSets, make_tile_sets

EFFORT = 2000
"""Moves that a proof may play or take back."""

MEMO = 2**16
"""Regions that are remembered."""


class PenguinsSearchSetup(NamedTuple):
    """A game of Penguins for one search, whose threads share it."""

    base: PenguinsSetup
    effort: int
    """Moves that a proof of what isolated penguins eat may play or take back."""
    sets: TileSets
    """The board for evaluations."""
    memo: npt.NDArray[np.uint64]
    """``uint64[any]``: what has been proven of isolated penguins, 0 at first. Nothing but time
    depends on it; an entry is written as a whole."""


def make_search_setup(
    setup: PenguinsSetup, *, effort: int = EFFORT, memo: int = MEMO
) -> PenguinsSearchSetup:
    """Return a Setup with a memo of its own; states stay the same."""
    return PenguinsSearchSetup(setup, effort, make_tile_sets(setup), np.zeros(memo, np.uint64))
