"""Colorings: functions that give a color to each vertex of any board.

Each returns ``int32[n]``, numbers below ``colors``. Equal arguments give equal colorings.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ludograph.boards import Board
from ludograph.rules import Rng, compiled, fill, random_below, random_state

IntArray = npt.NDArray[np.int32]

PATCH = 6
"""The mean number of vertices in a patch of the ``blocks`` coloring."""


def cyclic(board: Board, colors: int, seed: int) -> IntArray:  # noqa: ARG001
    """Color vertex ``v`` with ``v`` modulo the number of colors; the seed is not used."""
    return np.arange(board.n, dtype=np.int32) % np.int32(colors)


def uniform(board: Board, colors: int, seed: int) -> IntArray:
    """Draw each vertex's color independently; all colors are equally likely."""
    return _generator(seed).integers(0, colors, board.n, dtype=np.int32)


def blocks(board: Board, colors: int, seed: int) -> IntArray:
    """Grow connected patches of one color, then draw bridges of one color between far patches.

    The bridges are shortest paths, so a zone can cross the board in a few moves.
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
    # All bridges use one tree of shortest paths from a random root: O(edges) for all together.
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
    """Shuffle a coloring in which the numbers of vertices of the colors differ by at most one."""
    coloring = cyclic(board, colors, seed)
    _generator(seed).shuffle(coloring)
    return coloring


COLORINGS: dict[str, Callable[[Board, int, int], IntArray]] = {
    "cyclic": cyclic,
    "random": uniform,
    "blocks": blocks,
    "balanced": balanced,
}
"""The colorings by name, in the order of their numbers from 0."""


def separate_starts(coloring: IntArray, starts: IntArray, colors: int) -> IntArray:
    """Return the coloring with different colors on all start vertices.

    If a start vertex has the color of an earlier one, it gets the next color that no earlier start
    vertex has. ``coloring`` itself does not change. There must be a color for each start.
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
    """Grow patches from random vertices until they cover the whole graph.

    Each step extends the patch of a random vertex of the rim to the neighbors of that vertex.

    Parameters
    ----------
    patches
        The number of patches, at most the number of vertices.
    owner
        The output, ``int32[n]``: the patch of each vertex; it must be -1 everywhere before.
    queue
        Working memory, ``int32[n]``.
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
    """Write the parent of each vertex in a tree of shortest paths from ``root``.

    Both ``parent`` and the working memory ``queue`` are ``int32[n]``. The parent of the root is -1;
    that of vertices that the root does not reach is -2.
    """
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
