"""The strengths of features, in the form that a search reads.

They are kept in ``strengths.npz``, natural logarithms in multiples of ``UNIT``: only those that are
not 0, and of two features that turning the board makes the same only one. A search multiplies the
exponentials of a team, and wants few of them: those of the ring are contained in those of ring and
points.
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
    """The exponentials of strengths."""

    wholes: Floats
    """``float32[WHOLE]``: of ring and points, the ring's included."""
    locals: Floats
    """``float32[RING, PLACES]``"""
    windows: Floats
    """``float32[WINDOW, WINDOW]``; 1 in the middle, where the twelve places are."""
    depths: Floats
    """``float32[PHASES, DEPTHS * DEPTHS]``"""


class Patterns(NamedTuple):
    """What a search needs for priors on a board, and memory to work in.

    The board lies in a *grid* with a row more on each side, so that all cells around a free one
    are in it.
    """

    gammas: Gammas
    grid_of: npt.NDArray[np.int32]
    """``int32[n]``: the place of each vertex in the grid."""
    offsets: npt.NDArray[np.int32]
    """``int32[2, PLACES]``: from a place in the grid to those around it, mirrored for white."""
    digits: npt.NDArray[np.int32]
    """``int32[2, grid]``: 1 for own stones, 2 for others, by the color to move; those beyond the
    borders stand there from the start."""
    codes: npt.NDArray[np.int32]
    """``int32[grid]``: scratch."""
    depths: npt.NDArray[np.int32]
    """``int32[2, n]``: see :func:`ludograph.games.hex.patterns.features.depths_of`."""
    network: Network


@cache
def strengths() -> Floats:
    """Return the strengths of all features: ``float32[COUNT_OF_FEATURES]``, logarithms."""
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
        np.exp(wholes),
        np.exp(found[LOCALS_AT:WINDOWS_AT]).reshape(RING, PLACES),
        np.exp(found[WINDOWS_AT:DEPTHS_AT]).reshape(WINDOW, WINDOW),
        np.exp(found[DEPTHS_AT:]).reshape(PHASES, DEPTHS * DEPTHS),
    )


def make_patterns(setup: HexSetup) -> Patterns | None:
    """Return what a search of this board needs; None where the cells are not hexagonal."""
    if setup.joined != EXACTLY_ONE:
        return None
    columns = setup.columns
    wide = columns + 2
    rows, cols = np.divmod(np.arange(setup.owners.size), columns)
    grid_of = ((rows + 1) * wide + cols + 1).astype(np.int32)
    downs, rights = np.array(STEPS).T
    offsets = np.array([downs * wide + rights, rights * wide + downs], np.int32)
    # Beyond a border there is more of it.
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
