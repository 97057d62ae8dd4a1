"""Solo endgames: the most fish that penguins can eat in a region without other players.

In an isolated region of one seat only the order of the seat's own moves matters. The best order is
found by branch and bound, or approximated by random paths if an exact search would take too long.

A node of the search is the set of remaining tiles and the set of tiles with a penguin; the eaten
fish follow from these. A node whose 64-bit key is in the table is not searched again. The upper
bound of a node is the eaten fish plus all fish on free tiles that are connected to a penguin.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.penguins.rules import FREE, MELTED
from ludograph.games.penguins.setup import IntArray, PenguinsSetup
from ludograph.rules import Rng, compiled, copy, random_unit
from ludograph.rules.kernels.zobrist import word_of
from ludograph.search.records import COUNT, INTEGER, Records, record_type

MAX_EXACT_TILES = 256
"""With more free tiles only random paths are tried."""

BY_MOBILITY, BY_FISH = 0, 1
"""Orders of moves: tiles with few ways out first, or tiles with most fish first."""

PROGRESS = record_type(
    [
        ("level", INTEGER),  # the level of the current node of the exact search
        ("fish", INTEGER),  # the fish of the best path found
        ("length", INTEGER),  # the number of its moves
        ("stamp", INTEGER),  # the stamp of the last bound
        ("proven", INTEGER),  # 1 if the exact search is complete
    ]
)

FRAME = record_type(
    [
        ("count", COUNT),  # the number of moves of the node
        ("next", COUNT),  # the index of the next move to try
        ("penguin", COUNT),  # the move to this node: its penguin,
        ("source", COUNT),  # its source,
        ("tile", COUNT),  # its target
        ("fish", COUNT),  # the fish eaten so far
        ("key", np.uint64),
    ]
)

MOVE = record_type([("penguin", COUNT), ("tile", COUNT), ("code", COUNT)])


class SoloEndgame(NamedTuple):
    """The search of an endgame with ``k`` penguins and ``m`` free tiles, on a board of ``n`` tiles.

    ``levels`` is ``m + 1``, or 1 if ``m`` is above ``MAX_EXACT_TILES``; ``width`` is an upper bound
    of the number of moves.
    """

    root_cells: IntArray
    """``int32[n + 1]``: ``FREE`` or ``MELTED``; here a tile under a penguin is ``MELTED``, too."""
    root_tiles: IntArray
    """``int32[k]``: the tiles of the penguins."""
    cells: IntArray
    """``int32[n + 1]``: the same as ``root_cells``, at the current node."""
    tiles: IntArray
    """``int32[k]``: the same as ``root_tiles``, at the current node."""
    stamps: IntArray
    """``int32[n + 1]``: the stamp of the last bound that counted the tile."""
    queue: IntArray
    """``int32[n]``"""
    moves: Records
    """``MOVE[levels, width]``: the moves of each node, best first."""
    values: npt.NDArray[np.float64]
    """``float64[width]``: the sort keys of the moves of one node."""
    frames: Records
    """``FRAME[levels]``: the nodes from the root to the current node."""
    path: IntArray
    """``int32[m]``: the codes of the moves played."""
    best: IntArray
    """``int32[m]``: the codes of the moves of the best path found."""
    progress: Records
    """``PROGRESS[1]``"""
    visited: npt.NDArray[np.uint64]
    """``uint64[any]``: a table of the keys of nodes."""


@compiled(allocates=True)  # all arrays of a search are allocated here
def make_endgame(
    setup: PenguinsSetup, tiles: IntArray, free: IntArray, visited: int
) -> SoloEndgame:
    """Return a search that has not begun.

    Parameters
    ----------
    tiles
        ``int32[k]``: the tiles of the penguins.
    free
        ``int32[m]``: the free tiles connected to them.
    visited
        The number of keys in the table of an exact search; new keys overwrite old ones.
    """
    n, m = setup.fish.size, free.size
    levels = m + 1 if m <= MAX_EXACT_TILES else 1
    width = tiles.size * (setup.capacity // setup.penguins + 1)
    cells, stamps = np.empty(n + 1, np.int32), np.empty(n + 1, np.int32)
    for tile in range(n + 1):
        cells[tile], stamps[tile] = MELTED, 0
    for tile in free:
        cells[tile] = FREE
    frames, progress = np.empty(levels, FRAME), np.empty(1, PROGRESS)
    frames[0].fish, frames[0].key = 0, 0
    begun = progress[0]
    begun.level, begun.fish, begun.length, begun.stamp, begun.proven = 0, 0, 0, 0, 0
    table = np.empty(visited if levels > 1 else 1, np.uint64)  # np.zeros is five kernels more
    for place in range(table.size):
        table[place] = 0
    return SoloEndgame(
        cells,
        tiles.copy(),
        cells.copy(),
        tiles.copy(),
        stamps,
        np.empty(n, np.int32),
        np.empty((levels, width), MOVE),
        np.empty(width, np.float64),
        frames,
        np.empty(m, np.int32),
        np.empty(m, np.int32),
        progress,
        table,
    )


@compiled
def start_search(setup: PenguinsSetup, endgame: SoloEndgame, rng: Rng) -> None:
    """Start the exact search at its root; the best path found so far stays."""
    copy(endgame.root_cells, endgame.cells)
    copy(endgame.root_tiles, endgame.tiles)
    endgame.progress[0].level = 0
    root = endgame.frames[0]
    root.count = list_moves(setup, endgame, 0, BY_MOBILITY, 0.0, rng)
    root.next = 0


@compiled
def advance(setup: PenguinsSetup, endgame: SoloEndgame, steps: int, rng: Rng) -> None:
    """Make a number of steps, each a move or the undoing of a move; O(slots of the region) each."""
    progress = endgame.progress[0]
    for _ in range(steps):
        level = progress.level
        frame = endgame.frames[level]
        if frame.next == frame.count:
            if level == 0:
                progress.proven = 1
                return
            endgame.cells[frame.tile] = FREE
            endgame.tiles[frame.penguin] = frame.source
            progress.level -= 1
            continue
        move = endgame.moves[level, frame.next]
        frame.next += 1
        endgame.path[level] = move.code
        level += 1
        progress.level = level
        child = endgame.frames[level]
        child.penguin, child.tile = move.penguin, move.tile
        child.source = endgame.tiles[move.penguin]
        child.key = (
            frame.key
            ^ key_part(child.source, 0)
            ^ key_part(child.source, 1)
            ^ key_part(child.tile, 0)
        )
        child.fish = frame.fish + setup.fish[child.tile]
        child.count, child.next = 0, 0
        endgame.cells[child.tile] = MELTED
        endgame.tiles[child.penguin] = child.tile
        keep_best(endgame, child.fish, level)
        place = np.int64(child.key % np.uint64(endgame.visited.size))
        if endgame.visited[place] != child.key:
            endgame.visited[place] = child.key
            if child.fish + reachable_fish(setup, endgame) > progress.fish:
                child.count = list_moves(setup, endgame, level, BY_MOBILITY, 0.0, rng)


@compiled
def random_paths(setup: PenguinsSetup, endgame: SoloEndgame, paths: int, rng: Rng) -> None:
    """Try random paths, a number for each order of moves; O(moves) for each move of a path."""
    for number in range(2 * paths):
        copy(endgame.root_cells, endgame.cells)
        copy(endgame.root_tiles, endgame.tiles)
        order = BY_FISH if number % 2 else BY_MOBILITY
        noise = 1.0 if order == BY_FISH else 0.01 + 2.0 * random_unit(rng)
        fish, length = 0, 0
        while list_moves(setup, endgame, 0, order, noise, rng) > 0:
            move = endgame.moves[0, 0]
            endgame.path[length] = move.code
            endgame.cells[move.tile] = MELTED
            endgame.tiles[move.penguin] = move.tile
            fish += setup.fish[move.tile]
            length += 1
        keep_best(endgame, fish, length)


@compiled
def keep_best(endgame: SoloEndgame, fish: int, length: int) -> None:
    """Store the path if it is the best so far."""
    progress = endgame.progress[0]
    if fish > progress.fish:
        progress.fish = fish
        progress.length = length
        copy(endgame.path[:length], endgame.best)


@compiled
def key_part(tile: int, left: int) -> np.uint64:
    """Return the part of a key for a penguin on a tile, or for a tile that a penguin has left."""
    return word_of(2 * tile + left + 1)


@compiled
def reachable_fish(setup: PenguinsSetup, endgame: SoloEndgame) -> int:
    """Return the fish on all free tiles that are connected to a penguin; O(their slots)."""
    progress = endgame.progress[0]
    progress.stamp += 1
    stamp, queue = progress.stamp, endgame.queue
    fish, tail = 0, 0
    for first in range(endgame.tiles.size):
        tile = endgame.tiles[first]
        taken = tail
        while True:
            for slot in range(setup.offsets[tile], setup.offsets[tile + 1]):
                near = setup.beyond[slot]
                if endgame.cells[near] == FREE and endgame.stamps[near] != stamp:
                    endgame.stamps[near] = stamp
                    fish += setup.fish[near]
                    queue[tail] = near
                    tail += 1
            if taken == tail:
                break
            tile = queue[taken]
            taken += 1
    return fish


@compiled
def list_moves(
    setup: PenguinsSetup, endgame: SoloEndgame, level: int, order: int, noise: float, rng: Rng
) -> int:
    """Write the moves of a node; return their number.

    Without noise the moves are sorted. With noise, a random number up to ``noise`` is added to the
    value of each move, and only the best move is written.
    """
    moves, values = endgame.moves[level], endgame.values
    count = 0
    for penguin in range(endgame.tiles.size):
        tile = endgame.tiles[penguin]
        for start in range(setup.offsets[tile], setup.offsets[tile + 1]):
            way, code = setup.ways[start], setup.fish.size + (start << setup.shift)
            near = setup.along[way]
            while endgame.cells[near] == FREE:
                value = move_value(setup, endgame, near, order)
                place = count
                if noise > 0.0:
                    value += noise * random_unit(rng)
                    place = 0
                if noise == 0.0 or count == 0 or value > values[0]:
                    while place > 0 and value > values[place - 1]:
                        values[place] = values[place - 1]
                        moves[place] = moves[place - 1]
                        place -= 1
                    values[place] = value
                    move = moves[place]
                    move.penguin, move.tile, move.code = penguin, near, code
                count += 1
                code += 1
                way += 1
                near = setup.along[way]
    return count


@compiled
def move_value(setup: PenguinsSetup, endgame: SoloEndgame, tile: int, order: int) -> float:
    """Return the sort key of a move: its fish, or few ways out (Warnsdorff's rule for tours)."""
    if order == BY_FISH:
        return float(setup.fish[tile])
    ways = 0
    for slot in range(setup.offsets[tile], setup.offsets[tile + 1]):
        if endgame.cells[setup.beyond[slot]] == FREE:
            ways += 1
    return 0.5 * setup.fish[tile] - (ways if ways > 0 else 2 * setup.sides)
