"""A graph network on a board, and its forward pass, from features to logits and values.

The network stores which vertices are related, and memory to work in. The forward pass takes
O(layers * (vertices * channels**2 + related pairs * channels)) products and sums.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.boards import Board
from ludograph.errors import InvalidInput
from ludograph.rules import TURN, Moves, Scores, Setup, State, compiled, info
from ludograph.rules.arrays import softmax
from ludograph.rules.features import Features, observe, touch
from ludograph.rules.observer import sizes_of
from ludograph.rules.products import ROWS, Floats, add_products
from ludograph.search.network.layers import MOVE_CHANNELS, NORM_FLOOR, Layers, NetworkShape

Ints = npt.NDArray[np.int32]


class GraphNetwork(NamedTuple):
    """The layers on a board, the features of a position, and scratch arrays; for one thread."""

    layers: Layers
    offsets: Ints
    """``int32[relations, n + 1]``: by relation ``r``, vertex ``v`` is related to
    ``targets[offsets[r, v] : offsets[r, v + 1]]``."""
    targets: Ints
    """``int32[related pairs]``: the vertices related to each vertex, one relation after another."""
    shares: Floats
    """``float32[relations, n]``: one divided by the number of these; 0 if there are none."""
    rows: Ints
    """``int32[a multiple of ROWS]``: all vertices, filled up with the last one."""
    vertices: Features
    game: Features
    kinds: Moves
    ends: Moves
    touched: Moves
    """The output of ``observe`` and ``touch``."""
    sums_of_layers: Floats
    """``float32[n, channels]``: the sum of all layers so far."""
    features: Floats
    """``float32[n, channels]``: the same, normalized."""
    gathered: Floats
    """``float32[relations, n, channels]``"""
    base: Floats
    """``float32[channels]``: added to the sums of every vertex."""
    pool: Floats
    """``float32[2 * channels]``"""
    sums: Floats
    """``float32[ROWS, channels]``"""
    move_sums: Floats
    """``float32[ROWS, MOVE_CHANNELS]``"""
    projected: Floats
    """``float32[slots, n, MOVE_CHANNELS]``"""
    move_base: Floats
    """``float32[MOVE_CHANNELS]``"""
    move: Floats
    """``float32[MOVE_CHANNELS]``"""
    logits: Floats
    """``float32[move_capacity]``"""
    values: Scores
    """``float64[seats]``: from the seat to move on, from -1, lost, to 1, won."""


def place_network(
    shape: NetworkShape, layers: Layers, setup: Setup, board: Board | None
) -> GraphNetwork:
    """Return a network on a board.

    Parameters
    ----------
    setup
        The setup of the position; it must be of the network's game.
    board
        The board whose vertices are the rows of the features; None, or one of another size, if the
        rows are not related (Carcassonne has tiles in place of vertices).

    Raises
    ------
    InvalidInput
        If the features of the game have other sizes, or there is nothing to see.
    """
    check_features(shape, setup)
    sizes, limits = sizes_of(setup), info(setup)
    n = sizes.vertices
    offsets, targets = relations_of(shape.relations, board, n)
    counts = np.diff(offsets, axis=1)
    relations, channels = counts.shape[0], shape.channels
    capacity = int(limits.move_capacity)
    order = np.arange(n, dtype=np.int32)

    def scratch(*sizes: int) -> Floats:
        return np.zeros(sizes, np.float32)

    return GraphNetwork(
        layers=layers,
        offsets=offsets,
        targets=targets,
        shares=np.where(counts > 0, 1.0 / np.maximum(counts, 1), 0.0).astype(np.float32),
        rows=np.append(order, np.repeat(order[-1], -n % ROWS)).astype(np.int32),
        vertices=scratch(n, shape.vertex_features),
        game=scratch(shape.game_features),
        kinds=np.zeros(capacity, np.int32),
        ends=np.zeros(capacity, np.int32),
        touched=np.zeros(sizes.touched, np.int32),
        sums_of_layers=scratch(n, channels),
        features=scratch(n, channels),
        gathered=scratch(relations, n, channels),
        base=scratch(channels),
        pool=scratch(2 * channels),
        sums=scratch(ROWS, channels),
        move_sums=scratch(ROWS, MOVE_CHANNELS),
        projected=scratch(shape.slots, n, MOVE_CHANNELS),
        move_base=scratch(MOVE_CHANNELS),
        move=scratch(MOVE_CHANNELS),
        logits=scratch(capacity),
        values=np.zeros(int(limits.seats), np.float64),
    )


def check_features(shape: NetworkShape, setup: Setup) -> None:
    """Raise InvalidInput if the features of a game have other sizes than a network is for."""
    sizes, limits = sizes_of(setup), info(setup)
    seen = {
        "features of a vertex": (shape.vertex_features, sizes.vertex_features),
        "features of the game": (shape.game_features, sizes.game_features),
        "kinds of moves": (shape.kinds, sizes.kinds),
        "seats": (shape.seats, int(limits.seats)),
    }
    for what, (own, found) in seen.items():
        if own != found:
            raise InvalidInput(f"the network is for {own} {what}, this game has {found}")


def relations_of(names: tuple[str, ...], board: Board | None, n: int) -> tuple[Ints, Ints]:
    """Return how vertices are related: ``int32[relations, n + 1]`` and ``int32[pairs]``.

    Raises
    ------
    InvalidInput
        If the board lacks straight lines, and a relation needs them.
    """
    if board is None or board.n != n:
        return np.zeros((len(names), n + 1), np.int32), np.zeros(0, np.int32)
    offsets, targets, first = [], [], 0
    for name in names:
        own, related = RELATED[name](board)
        offsets.append(own.astype(np.int64) + first)
        targets.append(related)
        first += related.size
    return np.array(offsets).astype(np.int32), np.concatenate(targets).astype(np.int32)


def by_edges(board: Board) -> tuple[npt.NDArray[np.integer], npt.NDArray[np.integer]]:
    """Return the neighbors of each vertex, as CSR arrays."""
    return board.offsets, board.neighbors


def by_lines(board: Board) -> tuple[npt.NDArray[np.integer], npt.NDArray[np.integer]]:
    """Return the vertices on straight lines that leave each vertex, as CSR arrays; O(pairs)."""
    if board.sides is None:
        raise InvalidInput(f"{board.name}: the network needs straight lines, the board has none")
    rows = []
    for vertex in range(board.n):
        sides = range(int(board.sides.offsets[vertex + 1] - board.sides.offsets[vertex]))
        rows.append(sorted({other for side in sides for other in board.line(vertex, side)}))
    counts = [len(row) for row in rows]
    flat = [vertex for row in rows for vertex in row]
    return np.append(0, np.cumsum(counts)), np.array(flat, np.int64)


RELATED = {"neighbors": by_edges, "lines": by_lines}


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
