"""The forward pass of the network, from stones to outputs.

It is O(cells), and takes some million multiplications.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.hex.network.weights import CHANNELS, OTHER, OWN, Network
from ludograph.games.hex.rules import CELLS, STONE, Index
from ludograph.games.hex.setup import HexSetup
from ludograph.rules import State, compiled
from ludograph.rules.products import ROWS, Floats, add_products

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
        vertex = Index(setup.free[number])
        cell = state[Index(CELLS) + vertex]
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
def find_worth(network: Network, side: int) -> float:
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
