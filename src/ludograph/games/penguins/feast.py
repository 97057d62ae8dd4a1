"""The most fish that penguins can eat where nobody else gets: branch and bound, and random paths.

Penguins of one seat on free tiles that no other's can reach only have to put their own moves in a
good order. A position of that search is the set of tiles left and those they stand on; what was
eaten follows from it, so one that a table of 64-bit keys still remembers is not searched again. The
bound is what was eaten and all fish on the free tiles still joined to a penguin.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.games.penguins.rules import FREE, MELTED
from ludograph.games.penguins.setup import IntArray, PenguinsSetup
from ludograph.rules import Rng, compiled, copy, random_unit
from ludograph.rules.kernels.zobrist import word_of

LARGEST = 256
"""On more tiles only random paths are tried."""

LEVEL, BEST, LENGTH, STAMP, DONE = range(5)

NARROW, FISH = 0, 1
"""What is tried first: tiles with few ways on, or with most fish."""


class Feast(NamedTuple):
    """The progress of a search for ``k`` penguins over ``m`` free tiles of ``n``.

    ``levels`` is ``m + 1``, or 1 on more than ``LARGEST`` tiles; ``width`` bounds the moves.
    """

    root_cells: IntArray
    """``int32[n + 1]``: ``FREE`` or ``MELTED``, which a penguin's tile also is here."""
    root_tiles: IntArray
    """``int32[k]``: where the penguins stand."""
    cells: IntArray
    tiles: IntArray
    stamps: IntArray
    """``int32[n + 1]``: the last bound that counted a tile."""
    queue: IntArray
    """``int32[n]``"""
    moves: IntArray
    """``int32[levels, 3, width]``: of each move penguin, tile and code, best first."""
    values: npt.NDArray[np.float64]
    """``float64[width]``: what the moves of one position are sorted by."""
    counts: IntArray
    """``int32[levels, 2]``: how many moves there are, and which is next."""
    undo: IntArray
    """``int32[levels, 3]``: of the move that led here penguin, source and tile."""
    eaten: IntArray
    """``int32[levels]``: fish on the tiles stepped on."""
    keys: npt.NDArray[np.uint64]
    """``uint64[levels]``"""
    path: IntArray
    """``int32[m]``: the codes of the moves."""
    best: IntArray
    """``int32[m]``: the same on the best path found."""
    numbers: npt.NDArray[np.int64]
    """``int64[5]``: level, fish and length of the best path, last stamp, whether it is proven."""
    seen: npt.NDArray[np.uint64]
    """``uint64[seen]``: keys of positions entered."""


@compiled(allocates=True)  # the room of a search, made as a whole
def make_feast(setup: PenguinsSetup, tiles: IntArray, free: IntArray, seen: int) -> Feast:
    """Return a search that has not begun.

    Parameters
    ----------
    tiles
        ``int32[k]``: where the penguins stand.
    free
        ``int32[m]``: the free tiles joined to them.
    seen
        How many positions an exact search remembers, later ones in the place of earlier ones.
    """
    n, m = setup.fish.size, free.size
    levels = m + 1 if m <= LARGEST else 1
    width = tiles.size * (setup.capacity // setup.penguins + 1)
    cells = np.empty(n + 1, np.int32)
    for tile in range(n + 1):
        cells[tile] = MELTED
    for tile in free:
        cells[tile] = FREE
    return Feast(
        cells,
        tiles.copy(),
        cells.copy(),
        tiles.copy(),
        np.zeros(n + 1, np.int32),
        np.empty(n, np.int32),
        np.empty((levels, 3, width), np.int32),
        np.empty(width, np.float64),
        np.zeros((levels, 2), np.int32),
        np.empty((levels, 3), np.int32),
        np.zeros(levels, np.int32),
        np.zeros(levels, np.uint64),
        np.empty(m, np.int32),
        np.empty(m, np.int32),
        np.zeros(5, np.int64),
        np.zeros(seen if levels > 1 else 1, np.uint64),
    )


@compiled
def begin(setup: PenguinsSetup, feast: Feast, rng: Rng) -> None:
    """Go to the root of the exact search; the best path found so far stays."""
    copy(feast.root_cells, feast.cells)
    copy(feast.root_tiles, feast.tiles)
    feast.numbers[LEVEL] = 0
    feast.counts[0, 0] = list_moves(setup, feast, 0, NARROW, 0.0, rng)
    feast.counts[0, 1] = 0


@compiled
def advance(setup: PenguinsSetup, feast: Feast, steps: int, rng: Rng) -> None:
    """Play or take back so many moves; O(slots of the component) each."""
    numbers, moves, counts = feast.numbers, feast.moves, feast.counts
    for _ in range(steps):
        level = numbers[LEVEL]
        if counts[level, 1] == counts[level, 0]:
            if level == 0:
                numbers[DONE] = 1
                return
            feast.cells[feast.undo[level, 2]] = FREE
            feast.tiles[feast.undo[level, 0]] = feast.undo[level, 1]
            numbers[LEVEL] -= 1
            continue
        index = counts[level, 1]
        counts[level, 1] += 1
        penguin, tile = moves[level, 0, index], moves[level, 1, index]
        source = feast.tiles[penguin]
        feast.path[level] = moves[level, 2, index]
        key = feast.keys[level] ^ word(source, 0) ^ word(source, 1) ^ word(tile, 0)
        level += 1
        numbers[LEVEL] = level
        feast.undo[level, 0], feast.undo[level, 1], feast.undo[level, 2] = penguin, source, tile
        feast.cells[tile] = MELTED
        feast.tiles[penguin] = tile
        feast.eaten[level] = feast.eaten[level - 1] + setup.fish[tile]
        feast.keys[level] = key
        keep(feast, feast.eaten[level], level)
        counts[level, 0], counts[level, 1] = 0, 0
        place = np.int64(key % np.uint64(feast.seen.size))
        if feast.seen[place] != key:
            feast.seen[place] = key
            if feast.eaten[level] + joined(setup, feast) > numbers[BEST]:
                counts[level, 0] = list_moves(setup, feast, level, NARROW, 0.0, rng)


@compiled
def wander(setup: PenguinsSetup, feast: Feast, paths: int, rng: Rng) -> None:
    """Try random paths, in turn by the ways on and by fish; O(moves) for each of their moves."""
    for number in range(2 * paths):
        copy(feast.root_cells, feast.cells)
        copy(feast.root_tiles, feast.tiles)
        order = FISH if number % 2 else NARROW
        noise = 1.0 if order == FISH else 0.01 + 2.0 * random_unit(rng)
        eaten, length = 0, 0
        while list_moves(setup, feast, 0, order, noise, rng) > 0:
            tile = feast.moves[0, 1, 0]
            feast.path[length] = feast.moves[0, 2, 0]
            feast.cells[tile] = MELTED
            feast.tiles[feast.moves[0, 0, 0]] = tile
            eaten += setup.fish[tile]
            length += 1
        keep(feast, eaten, length)


@compiled
def keep(feast: Feast, eaten: int, length: int) -> None:
    """Keep the path if it is the best."""
    if eaten > feast.numbers[BEST]:
        feast.numbers[BEST] = eaten
        feast.numbers[LENGTH] = length
        copy(feast.path[:length], feast.best)


@compiled
def word(tile: int, left: int) -> np.uint64:
    """Return the part of a key for a penguin on a tile, or for one that has left it."""
    return word_of(2 * tile + left + 1)


@compiled
def joined(setup: PenguinsSetup, feast: Feast) -> int:
    """Return the fish on all free tiles joined to a penguin by free tiles; O(their slots)."""
    feast.numbers[STAMP] += 1
    stamp, queue = feast.numbers[STAMP], feast.queue
    fish, last = 0, 0
    for first in range(feast.tiles.size):
        tile = feast.tiles[first]
        taken = last
        while True:
            for slot in range(setup.offsets[tile], setup.offsets[tile + 1]):
                near = setup.beyond[slot]
                if feast.cells[near] == FREE and feast.stamps[near] != stamp:
                    feast.stamps[near] = stamp
                    fish += setup.fish[near]
                    queue[last] = near
                    last += 1
            if taken == last:
                break
            tile = queue[taken]
            taken += 1
    return fish


@compiled
def list_moves(
    setup: PenguinsSetup, feast: Feast, level: int, order: int, noise: float, rng: Rng
) -> int:
    """Write the moves of a position and return how many they are.

    Without noise they are sorted; with noise, at most so much for each, only the best is written.
    """
    moves, values = feast.moves[level], feast.values
    count = 0
    for penguin in range(feast.tiles.size):
        tile = feast.tiles[penguin]
        for start in range(setup.offsets[tile], setup.offsets[tile + 1]):
            slot, code = start, setup.fish.size + (start << setup.shift)
            near = setup.beyond[slot]
            while feast.cells[near] == FREE:
                value = worth(setup, feast, near, order)
                place = count
                if noise > 0.0:
                    value += noise * random_unit(rng)
                    place = 0
                if noise == 0.0 or count == 0 or value > values[0]:
                    while place > 0 and value > values[place - 1]:
                        values[place] = values[place - 1]
                        for part in range(3):
                            moves[part, place] = moves[part, place - 1]
                        place -= 1
                    values[place] = value
                    moves[0, place], moves[1, place], moves[2, place] = penguin, near, code
                count += 1
                code += 1
                slot = setup.ahead[slot]
                near = setup.beyond[slot]
    return count


@compiled
def worth(setup: PenguinsSetup, feast: Feast, tile: int, order: int) -> float:
    """Return what a tile promises: its fish, or few ways on (Warnsdorff's rule for tours)."""
    if order == FISH:
        return float(setup.fish[tile])
    ways = 0
    for slot in range(setup.offsets[tile], setup.offsets[tile + 1]):
        if feast.cells[setup.beyond[slot]] == FREE:
            ways += 1
    return 0.5 * setup.fish[tile] - (ways if ways > 0 else 2 * setup.sides)
