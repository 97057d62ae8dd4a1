"""The strengths of features, in the form for a search.

The file ``strengths.npz`` contains them as natural logarithms in multiples of ``UNIT``. It omits
zeros, and one of each two features that are equal when the board is turned by 180°. A search
multiplies the exponentials of a team's strengths. To save products, the exponentials for ring and
points include those of the ring.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.network.weights import Network, make_network
from ludograph.games.hex.patterns.features import (
    COUNT_OF_FEATURES,
    DEPTHS,
    DEPTHS_AT,
    LOCALS_AT,
    PHASES,
    PLACES,
    RING,
    RINGS_AT,
    STEPS,
    WHOLE,
    WHOLES_AT,
    WINDOW,
    WINDOWS_AT,
    depths_of,
    turned,
)
from ludograph.games.hex.setup import EXACTLY_ONE, HexSetup

UNIT = 0.05

Floats = npt.NDArray[np.float32]


class Gammas(NamedTuple):
    """The exponentials of strengths, by the kinds of features."""

    wholes: Floats
    """``float32[WHOLE]``: ring and points, including the strength of the ring."""
    locals: Floats
    """``float32[RING, PLACES]``: the ring and the place of the last move."""
    windows: Floats
    """``float32[WINDOW, WINDOW]``: the place of the last move in the window; 1 for the twelve
    places in the middle."""
    depths: Floats
    """``float32[PHASES, DEPTHS * DEPTHS]``: the phase and the distances from the borders."""


class Patterns(NamedTuple):
    """The strengths and the network for a board, and working memory for priors.

    The board is stored in a *grid* with one more row on each side, so that the grid contains all
    places around a free cell.
    """

    gammas: Gammas
    grid_of: npt.NDArray[np.int32]
    """``int32[n]``: the place of each vertex in the grid."""
    offsets: npt.NDArray[np.int32]
    """``int32[2, PLACES]``: the steps in the grid to the places around a cell, by the color to
    move."""
    digits: npt.NDArray[np.int32]
    """``int32[2, grid]``: 1 for own stones, 2 for stones of the other color, otherwise 0, by the
    color to move; borders and the places behind them never change."""
    codes: npt.NDArray[np.int32]
    """``int32[grid]``: working memory for the codes of the places around each cell."""
    depths: npt.NDArray[np.int32]
    """``int32[2, n]``: see :func:`ludograph.games.hex.patterns.features.depths_of`."""
    network: Network


@cache
def strengths() -> Floats:
    """Return the strengths of all features as logarithms: ``float32[COUNT_OF_FEATURES]``."""
    with (files(__package__) / "strengths.npz").open("rb") as file, np.load(file) as kept:
        indices = np.cumsum(kept["steps"].astype(np.int64))
        worth = kept["worth"].astype(np.float32) * np.float32(UNIT)
    found = np.zeros(COUNT_OF_FEATURES, np.float32)
    found[indices] = worth
    found[turned()[indices]] = worth
    return found


@cache
def gammas() -> Gammas:
    """Return the exponentials of all strengths."""
    found = strengths()
    rings = found[RINGS_AT:WHOLES_AT]
    wholes = found[WHOLES_AT:LOCALS_AT] + np.tile(rings, WHOLE // RING)
    return Gammas(
        _exponentials(wholes),
        _exponentials(found[LOCALS_AT:WINDOWS_AT]).reshape(RING, PLACES),
        _exponentials(found[WINDOWS_AT:DEPTHS_AT]).reshape(WINDOW, WINDOW),
        _exponentials(found[DEPTHS_AT:]).reshape(PHASES, DEPTHS * DEPTHS),
    )


def _exponentials(values: Floats) -> Floats:
    # Numpy has other code for each processor: the last bits, which depend on it, are cut off.
    return np.exp(values, dtype=np.float64).astype(np.float32)


def make_patterns(setup: HexSetup) -> Patterns | None:
    """Return the patterns for a board; None for a board without hexagonal cells."""
    if setup.joined != EXACTLY_ONE:
        return None
    columns = setup.columns
    wide = columns + 2
    rows, cols = np.divmod(np.arange(setup.owners.size), columns)
    grid_of = ((rows + 1) * wide + cols + 1).astype(np.int32)
    downs, rights = np.array(STEPS).T
    offsets = np.array([downs * wide + rights, rights * wide + downs], np.int32)
    # The places behind a border have its color, too.
    colors = np.pad(setup.owners.reshape(columns, columns), 1, mode="edge").ravel()
    digits = np.array([colors + 1, np.array([0, 2, 1])[colors + 1]], np.int32)
    return Patterns(
        gammas(),
        grid_of,
        offsets,
        digits,
        np.zeros(digits.shape[1], np.int32),
        depths_of(setup),
        make_network(setup),
    )
