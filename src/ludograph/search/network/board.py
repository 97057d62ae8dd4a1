"""A network on a board: which vertices are related, and memory to work in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.boards import Board
from ludograph.errors import InvalidInput
from ludograph.rules import Moves, Scores, Setup, info
from ludograph.rules.features import Features
from ludograph.rules.observer import sizes_of
from ludograph.rules.products import ROWS, Floats
from ludograph.search.network.layers import MOVE_CHANNELS, Layers, NetworkShape

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
