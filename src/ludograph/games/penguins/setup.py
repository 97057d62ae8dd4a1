"""The setup of Penguins: the lines over the tiles, the fish, the players."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.boards import OUTSIDE, Board, Sides
from ludograph.boards.planar import HOW_TO_DERIVE
from ludograph.errors import InvalidInput
from ludograph.rules import random_state
from ludograph.rules.kernels.slides import NEAR

IntArray = npt.NDArray[np.int32]

MOST_FISH = 3
MAX_SEATS = 64
CODES = 2**31
"""An upper bound of move codes, exclusive."""


class PenguinsSetup(NamedTuple):
    """The tiles by their *slots*, one for each side of each tile, clockwise tile by tile.

    Beyond the last tile there is one more, the water, which never has a penguin.
    """

    offsets: IntArray
    """``int32[n + 1]``: tile ``v`` has the slots ``offsets[v]`` to ``offsets[v + 1] - 1``."""
    beyond: IntArray
    """``int32[slots]``: the tile beyond the slot's side, ``n`` for the water."""
    back: IntArray
    """``int32[slots]``: the number of the same side among the sides of the tile beyond."""
    ways: IntArray
    """``int32[slots]``: the index in ``along`` at which the line out of the slot begins."""
    along: IntArray
    """``int32[places]``: the tiles of all lines, each to its end, see :func:`lay_out`."""
    facing: IntArray
    """``int32[places]``: the number of the side by which the line enters the tile."""
    tiles: IntArray
    """``int32[slots]``: the tile of each slot."""
    fish: IntArray
    """``int32[n]``: the fish of each tile, 1 to 3."""
    ones: IntArray
    """``int32[o]``: the tiles with one fish, ascending."""
    owners: IntArray
    """``int32[seats * penguins]``: the seat of each penguin; those of a seat are consecutive."""
    seats: int
    penguins: int
    """The number of penguins of each seat."""
    sides: int
    """The greatest number of sides of a tile."""
    shift: int
    """The number of bits of a move code for the length of a slide."""
    capacity: int
    """An upper bound of the number of moves of a seat."""


def make_setup(board: Board, fish: IntArray, seats: int, penguins: int) -> PenguinsSetup:
    """Return the setup of a game.

    Parameters
    ----------
    board
        A board whose tiles all have an even number of sides.
    fish
        ``int32[n]``: 1 to 3 for every tile, 1 for at least half of them.
    seats, penguins
        At least 2 seats with at least 1 penguin each; as many tiles with one fish as penguins.

    Raises
    ------
    InvalidInput
        If a condition above does not hold, or the board is too large for the codes of its moves.
    """
    sides = check_sides(board)
    check_players(board, seats, penguins)
    check_fish(board, fish, seats * penguins)
    dry = sides.neighbors != OUTSIDE
    across = np.where(dry, sides.offsets[sides.neighbors] + sides.entries, 0)
    ahead = np.where(dry, sides.opposites()[across], 0).astype(np.int32)
    lines = lay_out(ahead, dry)
    shift = max(1, int(lines.lengths.max()).bit_length())
    if board.n + (len(ahead) << shift) > CODES:
        raise InvalidInput(f"penguins: the board has {board.n} tiles, that is too large")
    tiles = sides.tiles()
    in_reach = np.bincount(tiles, weights=lines.lengths, minlength=board.n)
    ones = np.flatnonzero(fish == 1).astype(np.int32)
    beyond = np.where(dry, sides.neighbors, board.n).astype(np.int32)
    return PenguinsSetup(
        offsets=sides.offsets.copy(),  # kernels are compiled for writable arrays
        beyond=beyond,
        back=sides.entries.copy(),
        ways=lines.ways.astype(np.int32),
        along=np.append(beyond, np.int32(board.n))[lines.slots],
        facing=np.append(sides.entries, np.int32(OUTSIDE))[lines.slots],
        tiles=tiles,
        fish=np.array(fish, np.int32),
        ones=ones,
        owners=np.repeat(np.arange(seats, dtype=np.int32), penguins),
        seats=seats,
        penguins=penguins,
        sides=int(np.diff(sides.offsets).max()),
        shift=shift,
        capacity=max(len(ones), penguins * int(in_reach.max())),
    )


def draw_fish(n: int, penguins: int, seed: int) -> IntArray:
    """Return fish for ``n`` tiles: one on half of them, two on a third, three on the others.

    These are the proportions of the printed game. If all penguins need more tiles with one fish,
    there are more of these.

    Returns
    -------
    int32[n]
        The fish of each tile, shuffled by the seed.
    """
    ones = max((n + 1) // 2, penguins)
    threes = max(0, n - ones) // 3
    counts = (ones, max(0, n - ones) - threes, threes)
    fish = np.repeat(np.array([1, 2, 3], np.int32), counts)[:n]
    generator = np.random.Generator(np.random.PCG64(int(random_state(seed)[0])))
    generator.shuffle(fish)
    return fish


class Lines(NamedTuple):
    """All lines of a board, laid out one after another."""

    lengths: npt.NDArray[np.int64]
    """``int64[slots]``: the most tiles that a line out of the slot can pass."""
    ways: npt.NDArray[np.int64]
    """``int64[slots]``: the place of each slot."""
    slots: npt.NDArray[np.int64]
    """``int64[places]``: the slots of each line, up to the slot that leads into the water. A loop
    is laid out twice, so that the places after any slot lead to its tile again. The ``NEAR`` places
    at the end are -1."""


def lay_out(ahead: IntArray, dry: npt.NDArray[np.bool_]) -> Lines:
    """Return the lines of a board.

    Parameters
    ----------
    ahead, dry
        The slot by which the line goes on, and whether there is a tile beyond the slot.

    Notes
    -----
    The algorithm doubles the steps, in O(slots * log slots). The length of a loop is one less than
    its slots; a line that returns to its tile by another side ends there.
    """
    slots = np.arange(len(ahead))
    after = np.where(dry, ahead, slots)
    least, ends = np.minimum(slots, after), after
    for _ in range(len(ahead).bit_length()):
        if not dry[ends].any():
            break
        least, ends = np.minimum(least, least[ends]), ends[ends]
    closed = dry[ends]  # no end was found: the line is a loop, which is cut before its least slot
    after = np.where(closed & (after == least), slots, after)
    left, ends = (after != slots).astype(np.int64), after
    while left[ends].any():
        left, ends = left + left[ends], ends[ends]
    sizes = np.bincount(ends, minlength=len(ahead))  # the size of each line, at its last slot
    capacity = np.where(closed, 2 * sizes, sizes)
    ways = (np.cumsum(capacity) - capacity + sizes - 1)[ends] - left
    found = np.full(capacity.sum() + NEAR, -1)
    found[ways] = slots
    found[(ways + sizes[ends])[closed]] = slots[closed]
    return Lines(np.where(closed, sizes[ends] - 1, left), ways, found)


def check_sides(board: Board) -> Sides:
    """Return the sides of a board whose tiles all have an even number of them."""
    if board.sides is None:
        raise InvalidInput(
            f"penguins: the board {board.name!r} has no straight lines; {HOW_TO_DERIVE}"
        )
    odd = np.flatnonzero(np.diff(board.sides.offsets) % 2)
    if odd.size:
        raise InvalidInput(
            "penguins: each tile needs an even number of sides, as a penguin leaves a tile by the "
            f"side opposite to its entry; tile {odd[0]} has {board.sides.count(int(odd[0]))} sides"
        )
    return board.sides


def check_players(board: Board, seats: int, penguins: int) -> None:
    """Raise InvalidInput if the board is too small for these players."""
    if not 2 <= seats <= MAX_SEATS:
        raise InvalidInput(f"penguins: the number of seats must be 2 to {MAX_SEATS}, got {seats}")
    if penguins < 1:
        raise InvalidInput(f"penguins: every player needs at least 1 penguin, got {penguins}")
    if seats * penguins > board.n:
        raise InvalidInput(f"penguins: {seats} x {penguins} penguins do not fit on {board.n} tiles")


def check_fish(board: Board, fish: IntArray, penguins: int) -> None:
    """Raise InvalidInput if the fish are not valid for this number of penguins."""
    if fish.shape != (board.n,):
        raise InvalidInput(
            f"penguins: fish are given for {fish.size} tiles, the board has {board.n}"
        )
    wrong = np.flatnonzero((fish < 1) | (fish > MOST_FISH))
    if wrong.size:
        raise InvalidInput(
            f"penguins: tile {wrong[0]} has {fish[wrong[0]]} fish, it must be 1 to {MOST_FISH}"
        )
    ones = int((fish == 1).sum())
    if 2 * ones < board.n:
        raise InvalidInput(
            f"penguins: {ones} of {board.n} tiles have one fish, it must be at least half of them"
        )
    if ones < penguins:
        raise InvalidInput(
            f"penguins: {ones} tiles have one fish, {penguins} penguins need one each"
        )
