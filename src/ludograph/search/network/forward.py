"""The forward pass of a graph network, from features to logits and values.

It takes O(layers * (vertices * channels**2 + related pairs * channels)) products and sums.
"""

from __future__ import annotations

import math

import numpy as np

from ludograph import rules
from ludograph.rules import TURN, Moves, Scores, Setup, State, compiled
from ludograph.rules.arrays import softmax
from ludograph.rules.features import observe, touch
from ludograph.rules.products import ROWS, Floats, add_products
from ludograph.search.network.board import GraphNetwork
from ludograph.search.network.layers import NORM_FLOOR

NOTHING = np.float32(0.0)


@compiled
def predict(
    setup: Setup, network: GraphNetwork, state: State, moves: Moves, out: Scores, rewards: Scores
) -> None:
    """Write the likelihood of each move to be the best one, and the value of each seat.

    Parameters
    ----------
    moves, out
        ``int32[k]``, ``float64[k]``: some of the moves; their likelihoods sum to 1.
    rewards
        ``float64[seats]``: by seat, from 0, lost, to 1, won.
    """
    vertices, game = network.vertices, network.game
    kinds, ends = network.kinds[: moves.size], network.ends[: moves.size]
    observe(setup, state, state[TURN], vertices, game)
    touch(setup, state, moves, kinds, ends, network.touched)
    evaluate_features(network, vertices, game, kinds, ends, network.touched)
    seats = rewards.size
    for turn in range(seats):
        rewards[(state[TURN] + turn) % seats] = 0.5 + 0.5 * network.values[turn]
    rules.copy(network.logits[: moves.size], out)
    softmax(out)


@compiled
def evaluate_features(
    network: GraphNetwork,
    vertices: Floats,
    game: Floats,
    kinds: Moves,
    ends: Moves,
    touched: Moves,
) -> None:
    """Write ``logits`` and ``values`` of a position given by its features.

    Parameters
    ----------
    vertices, game
        ``float32[n, vertex_features]``, ``float32[game_features]``.
    kinds, ends, touched
        The data of the moves to evaluate, as :func:`ludograph.rules.touch` writes them.
    """
    find_features(network, vertices, game)
    find_values(network)
    find_logits(network, kinds, ends, touched)


@compiled
def find_features(network: GraphNetwork, vertices: Floats, game: Floats) -> None:
    """Write the features of the vertices after all layers, and their pool."""
    layers, sums = network.layers, network.sums_of_layers
    base = network.base
    rules.copy(layers.bias_in, base)
    add_weighted(game, layers.game_in, base)
    for vertex in range(sums.shape[0]):
        row = sums[vertex]
        rules.copy(base, row)
        add_weighted(vertices[vertex], layers.vertex_in, row)
        cut(row)
    for layer in range(layers.body.shape[0]):
        normalize(network)
        pool_features(network)
        add_layer(network, layer)
    normalize(network)
    pool_features(network)


@compiled
def normalize(network: GraphNetwork) -> None:
    """Write the features: sums divided by the root of their mean square, vertex by vertex."""
    channels = network.features.shape[1]
    for vertex in range(network.features.shape[0]):
        sums, row = network.sums_of_layers[vertex], network.features[vertex]
        square = NOTHING
        for channel in range(channels):
            square += sums[channel] * sums[channel]
        scale = np.float32(1.0 / math.sqrt(square / channels + NORM_FLOOR))
        for channel in range(channels):
            row[channel] = scale * sums[channel]


@compiled
def pool_features(network: GraphNetwork) -> None:
    """Write the mean and the greatest features over all vertices."""
    features, pool = network.features, network.pool
    count, channels = features.shape
    for channel in range(channels):
        pool[channel] = NOTHING
        pool[channels + channel] = features[0, channel]
    for vertex in range(count):
        for channel in range(channels):
            value = features[vertex, channel]
            pool[channel] += value
            pool[channels + channel] = max(pool[channels + channel], value)
    share = np.float32(1.0) / np.float32(count)
    for channel in range(channels):
        pool[channel] *= share


@compiled
def add_layer(network: GraphNetwork, layer: int) -> None:
    """Pass a message along all relations, and from all vertices to each one."""
    layers, features, base = network.layers, network.features, network.base
    rules.copy(layers.body_bias[layer], base)
    add_weighted(network.pool, layers.pooled[layer], base)
    gather(network)
    rows, sums, body = network.rows, network.sums, layers.body[layer]
    count, channels = features.shape
    for first in range(0, count, ROWS):
        for row in range(ROWS):
            for channel in range(channels):
                sums[row, channel] = base[channel]
        add_products(sums, features, rows, first, 0, body[0])
        for relation in range(network.gathered.shape[0]):
            add_products(sums, network.gathered[relation], rows, first, 0, body[1 + relation])
        for row in range(min(ROWS, count - first)):
            target = network.sums_of_layers[first + row]
            for channel in range(channels):
                target[channel] += max(sums[row, channel], NOTHING)


@compiled
def gather(network: GraphNetwork) -> None:
    """Write the mean features of the vertices to which each vertex is related."""
    features = network.features
    for relation in range(network.gathered.shape[0]):
        offsets, shares = network.offsets[relation], network.shares[relation]
        for vertex in range(features.shape[0]):
            row = network.gathered[relation, vertex]
            for channel in range(row.size):
                row[channel] = NOTHING
            for place in range(offsets[vertex], offsets[vertex + 1]):
                source = features[network.targets[place]]
                for channel in range(row.size):
                    row[channel] += source[channel]
            share = shares[vertex]
            for channel in range(row.size):
                row[channel] *= share


@compiled
def find_values(network: GraphNetwork) -> None:
    """Write the value of each seat, from the pool."""
    layers, values = network.layers, network.values
    count = layers.value_bias.size
    for value in range(count):
        values[value] = layers.value_bias[value]
    for unit in range(layers.hidden_bias.size):
        found = layers.hidden_bias[unit]
        for channel in range(network.pool.size):
            found += network.pool[channel] * layers.hidden[channel, unit]
        if found > NOTHING:
            for value in range(count):
                values[value] += found * layers.value_out[unit, value]
    for value in range(count):
        values[value] = math.tanh(values[value])
    if count == 1:
        values[1] = -values[0]


@compiled
def find_logits(network: GraphNetwork, kinds: Moves, ends: Moves, touched: Moves) -> None:
    """Write the logit of each move."""
    layers, base = network.layers, network.move_base
    project(network)
    for channel in range(base.size):
        base[channel] = NOTHING
    add_weighted(network.pool, layers.policy_pooled, base)
    first = 0
    for place in range(kinds.size):
        network.logits[place] = logit_of(network, kinds[place], touched[first : ends[place]])
        first = ends[place]


@compiled
def project(network: GraphNetwork) -> None:
    """Write each vertex's part of the logit of a move that touches it, by slot."""
    layers, rows, sums = network.layers, network.rows, network.move_sums
    for slot in range(layers.touch.shape[0]):
        projected = network.projected[slot]
        for first in range(0, projected.shape[0], ROWS):
            for row in range(ROWS):
                for channel in range(sums.shape[1]):
                    sums[row, channel] = NOTHING
            add_products(sums, network.features, rows, first, 0, layers.touch[slot])
            for row in range(min(ROWS, projected.shape[0] - first)):
                rules.copy(sums[row], projected[first + row])


@compiled
def logit_of(network: GraphNetwork, kind: int, touched: Moves) -> float:
    """Return the logit of a move of a kind that touches these vertices."""
    layers, move = network.layers, network.move
    shared = layers.touch.shape[0] - 1  # the slot of all further vertices
    logarithm = np.float32(math.log(1.0 + touched.size))
    for channel in range(move.size):
        move[channel] = network.move_base[channel] + layers.kind[kind, channel]
        move[channel] += logarithm * layers.counted[channel]
    for slot in range(min(shared, touched.size)):
        row = network.projected[slot, touched[slot]]
        for channel in range(move.size):
            move[channel] += row[channel]
    if touched.size > shared:
        share = np.float32(1.0) / np.float32(touched.size - shared)
        for place in range(shared, touched.size):
            row = network.projected[shared, touched[place]]
            for channel in range(move.size):
                move[channel] += share * row[channel]
    logit = NOTHING
    for channel in range(move.size):
        logit += max(move[channel], NOTHING) * layers.policy_out[channel]
    return float(logit)


@compiled(inlined=True)
def add_weighted(values: Floats, weights: Floats, sums: Floats) -> None:
    """Add ``values @ weights``; features are mostly 0."""
    for number in range(values.size):
        value = values[number]
        if value != NOTHING:
            for channel in range(sums.size):
                sums[channel] += value * weights[number, channel]


@compiled(inlined=True)
def cut(row: Floats) -> None:
    """Replace negative numbers by 0."""
    for channel in range(row.size):
        row[channel] = max(row[channel], NOTHING)
