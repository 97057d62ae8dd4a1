"""The layers of the network, in the form that a search reads."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.patterns.features import NEIGHBORS
from ludograph.games.hex.setup import HexSetup
from ludograph.rules.products import ROWS, Floats

CHANNELS = 32
"""Of the features of a cell, a multiple of :data:`ludograph.rules.products.LANES`: fixed, as loops
of a known length are unrolled."""

MARGIN = 2
"""Rows of the grid beyond each border."""

REACH = [
    (down, right)
    for down in range(-MARGIN, MARGIN + 1)
    for right in range(-MARGIN, MARGIN + 1)
    if abs(down + right) <= MARGIN
]
"""To the 19 cells no more than two steps away, in rows and columns."""

AROUND = (*NEIGHBORS, (0, 0))
"""To the neighbors of a cell, and itself."""

OWN, OTHER, INSIDE = range(3)
"""The planes that the network sees: stones of the color to move, of the other, the board."""


class Layers(NamedTuple):
    """What was learned; ``c`` are the channels of a cell's features."""

    stones: Floats
    """``float32[3, 19, c]``: what a stone adds to the features of each cell within its reach."""
    stones_bias: Floats
    """``float32[c]``"""
    body: Floats
    """``float32[layers, 7, c, c]``: what the features of cells around add to a cell's."""
    body_bias: Floats
    """``float32[layers, c]``"""
    policy: Floats
    """``float32[c]``: how promising a cell is, as a logit."""
    gather: Floats
    """``float32[c, v]``: what of a cell counts for the position's worth, ...; ``v`` is 16 times
    something, too."""
    gather_bias: Floats
    hidden: Floats
    """``float32[2 * v, h]``: ... of which the mean over all cells and the greatest are taken."""
    hidden_bias: Floats
    worth: Floats
    """``float32[h + 1]``: the logit that the color to move wins; the last is its bias."""


class Network(NamedTuple):
    """The layers on a board, and memory to work in."""

    layers: Layers
    empty: Floats
    """``float32[grid, c]``: the sums of the first layer on the empty board."""
    cells: npt.NDArray[np.int32]
    """``int32[cells]``: where the board's cells are in the grid, ..."""
    together: npt.NDArray[np.int32]
    """``int32[a multiple of ROWS]``: ... and filled up with the last of them."""
    grid_of: npt.NDArray[np.int32]
    """``int32[2, n]``: the place of each vertex in the grid, as each color sees it."""
    reach: npt.NDArray[np.int32]
    """``int32[19]``: from a stone to the cells that it adds to, ..."""
    around: npt.NDArray[np.int32]
    """``int32[7]``: ... and from a cell to those that add to it."""
    features: Floats
    """``float32[2, grid, c]``: scratch, 0 beyond the borders."""
    sums: Floats
    """``float32[grid, c]``: scratch, ..."""
    few: Floats
    """``float32[ROWS, c]``: ... for the cells that are looked at together, ..."""
    fewer: Floats
    """``float32[ROWS, v]``: ... and for what of them counts for the worth."""
    pooled: Floats
    """``float32[2 * v + h]``: scratch."""
    logits: Floats
    """``float32[grid]``: of each cell as a move."""


@cache
def learned() -> Layers:
    """Return the layers kept beside this file."""
    with (files(__package__) / "weights.npz").open("rb") as file, np.load(file) as kept:
        return Layers(*(np.array(kept[name], np.float32, order="C") for name in Layers._fields))


def make_network(setup: HexSetup) -> Network:
    """Return what a search of a hexagonal board needs."""
    layers = learned()
    size = setup.columns - 2
    wide = size + 2 * MARGIN
    rows, cols = np.divmod(np.arange(setup.owners.size), setup.columns)
    beyond = MARGIN - 1  # the board has a row of borders itself
    places = [(rows + beyond) * wide + cols + beyond, (cols + beyond) * wide + rows + beyond]
    grid = np.arange(wide * wide, dtype=np.int32).reshape(wide, wide)
    inside = grid[MARGIN:-MARGIN, MARGIN:-MARGIN].ravel()
    reach = [down * wide + right for down, right in REACH]
    channels, pooled = layers.gather.shape
    return Network(
        layers=layers,
        empty=empty_board(layers, size),
        cells=inside,
        together=np.append(inside, np.repeat(inside[-1], -inside.size % ROWS)),
        grid_of=np.array(places, np.int32),
        reach=np.array(reach, np.int32),
        around=np.array([down * wide + right for down, right in AROUND], np.int32),
        features=np.zeros((2, wide * wide, channels), np.float32),
        sums=np.zeros((wide * wide, channels), np.float32),
        few=np.zeros((ROWS, channels), np.float32),
        fewer=np.zeros((ROWS, pooled), np.float32),
        pooled=np.zeros(layers.hidden.shape[0] + layers.hidden.shape[1], np.float32),
        logits=np.zeros(wide * wide, np.float32),
    )


def empty_board(layers: Layers, size: int) -> Floats:
    """Return the sums of the first layer without stones: ``float32[grid, c]``."""
    wide = size + 2 * MARGIN
    planes = np.zeros((3, wide, wide), np.float32)
    board = slice(MARGIN, -MARGIN)
    planes[OWN, :MARGIN, board] = planes[OWN, -MARGIN:, board] = 1.0
    planes[OTHER, board, :MARGIN] = planes[OTHER, board, -MARGIN:] = 1.0
    planes[INSIDE, board, board] = 1.0
    sums = np.zeros((wide, wide, layers.stones_bias.size), np.float32)
    sums += layers.stones_bias
    around = np.pad(planes, [(0, 0), (MARGIN, MARGIN), (MARGIN, MARGIN)])
    for place, (down, right) in enumerate(REACH):
        rows = slice(MARGIN - down, MARGIN - down + wide)
        columns = slice(MARGIN - right, MARGIN - right + wide)
        sums += np.einsum("pij,pc->ijc", around[:, rows, columns], layers.stones[:, place])
    return sums.reshape(wide * wide, -1)
