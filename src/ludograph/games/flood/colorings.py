"""Colorings: functions of any graph that give each vertex a color."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ludograph.boards import Board
from ludograph.rules import Rng, compiled, fill, random_below, random_state

IntArray = npt.NDArray[np.int32]

PATCH = 6
"""Vertices in a patch of the ``blocks`` coloring, on average."""


def cyclic(board: Board, colors: int, seed: int) -> IntArray:  # noqa: ARG001
    """Color vertex ``v`` with ``v`` modulo the number of colors; the seed plays no part."""
    return np.arange(board.n, dtype=np.int32) % np.int32(colors)


def uniform(board: Board, colors: int, seed: int) -> IntArray:
    """Draw each vertex's color independently, all equally likely."""
    return _generator(seed).integers(0, colors, board.n, dtype=np.int32)


def blocks(board: Board, colors: int, seed: int) -> IntArray:
    """Grow connected patches of one color, then draw bridges of one color between far patches.

    The bridges are shortest paths, so that few moves lead from one end of the board to another.
    """
    patches = max(1, board.n // PATCH)
    rng = random_state(seed, 1)
    owner = np.full(board.n, -1, np.int32)
    queue = np.empty(board.n, np.int32)
    grow_patches(board.offsets, board.neighbors, patches, rng, owner, queue)
    generator = _generator(seed)
    coloring = generator.integers(0, colors, patches, dtype=np.int32)[owner]
    bridges = max(1, round(board.n**0.5 / 4))
    parent = np.empty(board.n, np.int32)
    # A tree of shortest paths from one random root serves all bridges: O(edges) for all of them.
    shortest_paths(board.offsets, board.neighbors, random_below(rng, board.n), parent, queue)
    for color in generator.integers(0, colors, bridges).tolist():
        vertex = int(generator.integers(0, board.n))
        length = 0
        while vertex >= 0 and length < 4 * board.n**0.5:
            coloring[vertex] = color
            vertex = int(parent[vertex])
            length += 1
    return coloring


def balanced(board: Board, colors: int, seed: int) -> IntArray:
    """Shuffle a coloring in which every color has as many vertices, give or take one."""
    coloring = cyclic(board, colors, seed)
    _generator(seed).shuffle(coloring)
    return coloring


COLORINGS: dict[str, Callable[[Board, int, int], IntArray]] = {
    "cyclic": cyclic,
    "random": uniform,
    "blocks": blocks,
    "balanced": balanced,
}
"""By name, in the order of their numbers from 0."""


def separate_starts(coloring: IntArray, starts: IntArray, colors: int) -> IntArray:
    """Return the coloring with different colors on all start vertices.

    A start vertex whose color an earlier one has gets the next color that none has.
    """
    coloring = coloring.copy()
    taken: set[int] = set()
    for vertex in starts.tolist():
        color = int(coloring[vertex])
        while color in taken:
            color = (color + 1) % colors
        taken.add(color)
        coloring[vertex] = color
    return coloring


def _generator(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed & ((1 << 64) - 1)))


@compiled
def grow_patches(
    offsets: IntArray, neighbors: IntArray, patches: int, rng: Rng, owner: IntArray, queue: IntArray
) -> None:
    """Grow patches from random seeds, a random vertex of the rim at a time, over the whole graph.

    ``owner`` comes in as -1 everywhere; ``queue`` is scratch of the same size.
    """
    waiting = 0
    for patch in range(patches):
        vertex = random_below(rng, owner.size)
        while owner[vertex] >= 0:
            vertex = random_below(rng, owner.size)
        owner[vertex] = patch
        queue[waiting] = vertex
        waiting += 1
    while waiting > 0:
        place = random_below(rng, waiting)
        vertex = queue[place]
        waiting -= 1
        queue[place] = queue[waiting]
        for slot in range(offsets[vertex], offsets[vertex + 1]):
            other = neighbors[slot]
            if owner[other] < 0:
                owner[other] = owner[vertex]
                queue[waiting] = other
                waiting += 1


@compiled
def shortest_paths(
    offsets: IntArray, neighbors: IntArray, root: int, parent: IntArray, queue: IntArray
) -> None:
    """Write the parent of each vertex in a tree of shortest paths, -1 for the root."""
    fill(parent, -2)
    parent[root] = -1
    queue[0] = root
    done, filled = 0, 1
    while done < filled:
        vertex = queue[done]
        done += 1
        for slot in range(offsets[vertex], offsets[vertex + 1]):
            other = neighbors[slot]
            if parent[other] == -2:
                parent[other] = vertex
                queue[filled] = other
                filled += 1
