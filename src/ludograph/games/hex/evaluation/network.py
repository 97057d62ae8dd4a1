"""A small convolutional network for Hex: the value of a position, and the likely moves.

It is trained on games of our own search (``scripts/learn-hex-network``), and evaluates boards of
any size. The board is stored in a *grid* with two more rows on each side. If white is to move, the
board is mirrored in its long diagonal, so that the color to move always joins top and bottom.

First come the layers, and the arrays with which a search evaluates them on a board; then the
forward pass, from the stones to the features of each cell and to the outputs. It is O(cells), and
takes some million multiplications.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.rules import CELLS, STONE
from ludograph.games.hex.setup import HexSetup
from ludograph.rules import State, compiled
from ludograph.rules.products import ROWS, Floats, add_products

CHANNELS = 32
"""The features of a cell, a multiple of :data:`ludograph.rules.products.LANES`. The number is
fixed, because the compiler unrolls loops of a known length."""

MARGIN = 2
"""The rows of the grid outside the cells, on each side."""

NEIGHBORS = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))
"""The steps to the six neighbors of a cell, in rows and columns, clockwise from north."""

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


class Weights(NamedTuple):
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

    layers: Weights
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
    """``float32[ROWS, v]``: working memory for ``Weights.gather``."""
    pooled: Floats
    """``float32[2 * v + h]``: working memory for the pooled features."""
    logits: Floats
    """``float32[grid]``: the logit of each cell as a move."""


@cache
def learned() -> Weights:
    """Return the layers stored beside this file."""
    with (files(__package__) / "weights.npz").open("rb") as file, np.load(file) as kept:
        return Weights(*(np.array(kept[name], np.float32, order="C") for name in Weights._fields))


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


def empty_board(layers: Weights, size: int) -> Floats:
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


NOTHING = np.float32(0.0)


@compiled
def find_features(setup: HexSetup, network: Network, state: State, color: int) -> int:
    """Write the features of all cells for the color to move; return their place in ``features``."""
    see_stones(setup, network, state, color)
    layers = network.layers
    side = 0
    for layer in range(layers.body.shape[0]):
        add_layer(network, layers.body[layer], layers.body_bias[layer], side)
        side = 1 - side
    return side


@compiled
def see_stones(setup: HexSetup, network: Network, state: State, color: int) -> None:
    """Write the first layer: the sums of the empty board plus the parts of each stone."""
    sums = network.sums
    for place in range(sums.shape[0]):
        for channel in range(CHANNELS):
            sums[place, channel] = network.empty[place, channel]
    for number in range(setup.free.size):
        vertex = setup.free[number]
        cell = state[CELLS + vertex]
        if cell < 0:
            plane = OWN if STONE - cell == color else OTHER
            here = network.grid_of[color, vertex]
            for step in range(network.reach.size):
                target = sums[here + network.reach[step]]
                added = network.layers.stones[plane, step]
                for channel in range(CHANNELS):
                    target[channel] += added[channel]
    features = network.features[0]
    for number in range(network.cells.size):
        place = network.cells[number]
        for channel in range(CHANNELS):
            features[place, channel] = max(sums[place, channel], NOTHING)


@compiled
def add_layer(network: Network, weights: Floats, bias: Floats, side: int) -> None:
    """Add the output of a layer to the features of each cell, ``ROWS`` cells at a time.

    The input is ``network.features[side]``, the output ``network.features[1 - side]``.
    """
    source, target = network.features[side], network.features[1 - side]
    cells, sums = network.together, network.few
    for first in range(0, cells.size, ROWS):
        for row in range(ROWS):
            for channel in range(CHANNELS):
                sums[row, channel] = bias[channel]
        for step in range(network.around.size):
            add_products(sums, source, cells, first, int(network.around[step]), weights[step])
        for row in range(ROWS):
            here = cells[first + row]
            for channel in range(CHANNELS):
                target[here, channel] = source[here, channel] + max(sums[row, channel], NOTHING)


@compiled
def find_logits(network: Network, side: int) -> None:
    """Write the logit of each cell as a move."""
    features, policy = network.features[side], network.layers.policy
    for number in range(network.cells.size):
        place = network.cells[number]
        total = NOTHING
        for channel in range(policy.size):
            total += features[place, channel] * policy[channel]
        network.logits[place] = total


@compiled
def find_value(network: Network, side: int) -> float:
    """Return the logit of the probability that the color to move wins."""
    features, layers = network.features[side], network.layers
    width, height = layers.hidden.shape
    channels = width // 2
    cells, pooled, sums = network.together, network.pooled, network.fewer
    for channel in range(width):
        pooled[channel] = NOTHING
    for first in range(0, cells.size, ROWS):
        for row in range(ROWS):
            for channel in range(channels):
                sums[row, channel] = layers.gather_bias[channel]
        add_products(sums, features, cells, first, 0, layers.gather)
        for row in range(min(ROWS, network.cells.size - first)):
            for channel in range(channels):
                value = max(sums[row, channel], NOTHING)
                pooled[channel] += value
                pooled[channels + channel] = max(pooled[channels + channel], value)
    for channel in range(channels):
        pooled[channel] /= np.float32(network.cells.size)
    total = layers.worth[height]
    for unit in range(height):
        found = layers.hidden_bias[unit]
        for channel in range(width):
            found += pooled[channel] * layers.hidden[channel, unit]
        total += max(found, NOTHING) * layers.worth[unit]
    return float(total)
