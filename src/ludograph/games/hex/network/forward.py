"""From the stones on a board to what they promise; O(cells), some million multiplications."""

from __future__ import annotations

import numpy as np

from ludograph.games.hex.network.weights import CHANNELS, OTHER, OWN, Floats, Network
from ludograph.games.hex.rules import CELLS, STONE, Index
from ludograph.games.hex.setup import HexSetup
from ludograph.rules import State, compiled

NOTHING = np.float32(0.0)
TOGETHER = 4
"""Channels that are added in one go, of which there are a multiple."""


@compiled
def find_features(setup: HexSetup, network: Network, state: State, color: int) -> int:
    """Write the features of all cells as a color sees them; return where in ``features``."""
    see_stones(setup, network, state, color)
    layers = network.layers
    side = 0
    for layer in range(layers.body.shape[0]):
        add_layer(network, layers.body[layer], layers.body_bias[layer], side)
        side = 1 - side
    return side


@compiled
def see_stones(setup: HexSetup, network: Network, state: State, color: int) -> None:
    """Write the first layer: what is known of the empty board, and what each stone adds."""
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
    """Add to the features of each cell what those of its neighbors say, two cells at a time."""
    source, target = network.features[side], network.features[1 - side]
    cells, around, sums = network.cells, network.around, network.sums
    for number in range(0, cells.size, 2):
        here, there = cells[number], cells[min(number + 1, cells.size - 1)]
        for channel in range(CHANNELS):
            sums[0, channel] = bias[channel]
            sums[1, channel] = bias[channel]
        for step in range(around.size):
            near, far = here + around[step], there + around[step]
            for i in range(0, CHANNELS, TOGETHER):
                a, b = source[near, i], source[near, i + 1]
                c, d = source[near, i + 2], source[near, i + 3]
                e, f = source[far, i], source[far, i + 1]
                g, h = source[far, i + 2], source[far, i + 3]
                for channel in range(CHANNELS):
                    u, v = weights[step, i, channel], weights[step, i + 1, channel]
                    w, x = weights[step, i + 2, channel], weights[step, i + 3, channel]
                    sums[0, channel] += a * u + b * v + c * w + d * x
                    sums[1, channel] += e * u + f * v + g * w + h * x
        for channel in range(CHANNELS):
            target[here, channel] = source[here, channel] + max(sums[0, channel], NOTHING)
            target[there, channel] = source[there, channel] + max(sums[1, channel], NOTHING)


@compiled
def find_logits(network: Network, side: int) -> None:
    """Write how promising each cell is as a move."""
    features, policy = network.features[side], network.layers.policy
    for number in range(network.cells.size):
        place = network.cells[number]
        total = NOTHING
        for channel in range(policy.size):
            total += features[place, channel] * policy[channel]
        network.logits[place] = total


@compiled
def find_worth(network: Network, side: int) -> float:
    """Return the logit that the color to move wins."""
    features, layers = network.features[side], network.layers
    width, height = layers.hidden.shape
    channels = width // 2
    pooled, sums = network.pooled, network.sums[0]
    for channel in range(width):
        pooled[channel] = NOTHING
    for number in range(network.cells.size):
        place = network.cells[number]
        for channel in range(CHANNELS):
            sums[channel] = layers.gather_bias[channel]
        for source in range(layers.gather.shape[0]):
            feature = features[place, source]
            for channel in range(CHANNELS):
                sums[channel] += feature * layers.gather[source, channel]
        for channel in range(CHANNELS):
            value = max(sums[channel], NOTHING)
            pooled[channel] += value
            pooled[channels + channel] = max(pooled[channels + channel], value)
    for channel in range(CHANNELS):
        pooled[channel] /= np.float32(network.cells.size)
    total = layers.worth[height]
    for unit in range(height):
        found = layers.hidden_bias[unit]
        for channel in range(width):
            found += pooled[channel] * layers.hidden[channel, unit]
        total += max(found, NOTHING) * layers.worth[unit]
    return float(total)
