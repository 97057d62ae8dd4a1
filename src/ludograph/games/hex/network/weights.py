"""The layers of the network, in the form for a search."""

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
"""The features of a cell, a multiple of :data:`ludograph.rules.products.LANES`. The number is
fixed, because the compiler unrolls loops of a known length."""

MARGIN = 2
"""The rows of the grid outside the cells, on each side."""

REACH = [
    (down, right)
    for down in range(-MARGIN, MARGIN + 1)
    for right in range(-MARGIN, MARGIN + 1)
    if abs(down + right) <= MARGIN
]
"""The steps, in rows and columns, to the 19 cells at most two steps away."""

AROUND = (*NEIGHBORS, (0, 0))
"""The steps to the neighbors of a cell and to the cell itself."""

OWN, OTHER, INSIDE = range(3)
"""The input planes: stones of the color to move, stones of the other color, cells of the board."""


class Layers(NamedTuple):
    """The learned weights; ``c`` is the number of channels of a cell's features."""

    stones: Floats
    """``float32[3, 19, c]``: the first layer, from the planes of a cell and its surroundings."""
    stones_bias: Floats
    """``float32[c]``: the bias of the first layer."""
    body: Floats
    """``float32[layers, 7, c, c]``: the residual layers, from the features of a cell and its
    neighbors."""
    body_bias: Floats
    """``float32[layers, c]``: the biases of the residual layers."""
    policy: Floats
    """``float32[c]``: from the features of a cell to its logit as a move."""
    gather: Floats
    """``float32[c, v]``: from the features of a cell to ``v`` features that are pooled over all
    cells, as mean and as maximum; ``v`` is a multiple of 16."""
    gather_bias: Floats
    """``float32[v]``: the bias of these features."""
    hidden: Floats
    """``float32[2 * v, h]``: from the pooled features, means first, to a hidden layer."""
    hidden_bias: Floats
    """``float32[h]``: the bias of the hidden layer."""
    worth: Floats
    """``float32[h + 1]``: from the hidden layer to the logit that the color to move wins; the last
    number is the bias."""


class Network(NamedTuple):
    """The layers for a board, and working memory for the forward pass."""

    layers: Layers
    empty: Floats
    """``float32[grid, c]``: the sums of the first layer on the empty board."""
    cells: npt.NDArray[np.int32]
    """``int32[cells]``: the places of the board's cells in the grid."""
    together: npt.NDArray[np.int32]
    """``int32[a multiple of ROWS]``: the same, filled up with the last one of them."""
    grid_of: npt.NDArray[np.int32]
    """``int32[2, n]``: the place of each vertex in the grid, by the color to move."""
    reach: npt.NDArray[np.int32]
    """``int32[19]``: the steps of ``REACH`` in the grid."""
    around: npt.NDArray[np.int32]
    """``int32[7]``: the steps of ``AROUND`` in the grid."""
    features: Floats
    """``float32[2, grid, c]``: working memory for the features before and after a layer; 0 outside
    the cells."""
    sums: Floats
    """``float32[grid, c]``: working memory for the first layer."""
    few: Floats
    """``float32[ROWS, c]``: working memory for the next layers, ``ROWS`` cells at a time."""
    fewer: Floats
    """``float32[ROWS, v]``: working memory for ``Layers.gather``."""
    pooled: Floats
    """``float32[2 * v + h]``: working memory for the pooled features."""
    logits: Floats
    """``float32[grid]``: the logit of each cell as a move."""


@cache
def learned() -> Layers:
    """Return the layers stored beside this file."""
    with (files(__package__) / "weights.npz").open("rb") as file, np.load(file) as kept:
        return Layers(*(np.array(kept[name], np.float32, order="C") for name in Layers._fields))


def make_network(setup: HexSetup) -> Network:
    """Return the network for a board of hexagonal cells."""
    layers = learned()
    size = setup.columns - 2
    wide = size + 2 * MARGIN
    rows, cols = np.divmod(np.arange(setup.owners.size), setup.columns)
    beyond = MARGIN - 1  # one row on each side is the board's own border
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
