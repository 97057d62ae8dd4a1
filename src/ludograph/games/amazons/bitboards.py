"""Boards of Amazons as sets of bits: all lines at once.

On a full grid of squares the tile in row ``y`` and column ``x`` is number ``y * width + x``, where
``width`` is one more than the columns: the number between two rows stands for no tile, so that no
line goes on in the next row. A step is then the same shift for all tiles.
"""

import numpy as np

from ludograph.games.amazons.rules import CELLS, FREE, queens_at
from ludograph.games.amazons.setup import AmazonsSetup
from ludograph.rules import State, compiled
from ludograph.rules.kernels.bits import ONE
from ludograph.rules.kernels.sets import Set, common, empty, is_empty, union, with_one

WORD = np.uint64(64)


@compiled(inlined=True)
def up(members: Set, by: np.uint64) -> Set:
    """Return the set of ``k + by``; ``by`` is less than 64."""
    if len(members) == 1:
        return (members[0] << by,)
    if len(members) == 2:
        return (members[0] << by, (members[1] << by) | (members[0] >> (WORD - by)))
    return (
        members[0] << by,
        (members[1] << by) | (members[0] >> (WORD - by)),
        (members[2] << by) | (members[1] >> (WORD - by)),
        (members[3] << by) | (members[2] >> (WORD - by)),
    )


@compiled(inlined=True)
def down(members: Set, by: np.uint64) -> Set:
    """Return the set of ``k - by``, of those that are not negative."""
    if len(members) == 1:
        return (members[0] >> by,)
    if len(members) == 2:
        return ((members[0] >> by) | (members[1] << (WORD - by)), members[1] >> by)
    return (
        (members[0] >> by) | (members[1] << (WORD - by)),
        (members[1] >> by) | (members[2] << (WORD - by)),
        (members[2] >> by) | (members[3] << (WORD - by)),
        members[3] >> by,
    )


@compiled(inlined=True)
def free_tiles(setup: AmazonsSetup, state: State) -> Set:
    """Return the free tiles; O(tiles)."""
    n, columns = setup.offsets.size - 1, setup.columns
    free, width = empty(setup.tile_set), np.uint64(columns + 1)
    for row in range(n - columns, -1, -columns):
        here = np.uint64(0)
        for tile in range(CELLS + row + columns - 1, CELLS + row - 1, -1):
            here = (here << ONE) | (ONE if state[tile] == FREE else np.uint64(0))
        free = with_first_word(up(free, width), here)
    return free


@compiled(inlined=True)
def with_first_word(members: Set, word: np.uint64) -> Set:
    """Return a set with those of a word added, numbers below 64."""
    if len(members) == 1:
        return (members[0] | word,)
    if len(members) == 2:
        return (members[0] | word, members[1])
    return (members[0] | word, members[1], members[2], members[3])


@compiled(inlined=True)
def place_of(setup: AmazonsSetup, tile: int) -> int:
    """Return the number of a tile in sets."""
    return tile + tile // setup.columns


@compiled(inlined=True)
def queens_of(setup: AmazonsSetup, state: State, seat: int) -> Set:
    """Return the tiles of a seat's queens."""
    queens = empty(setup.tile_set)
    for queen in range(seat, setup.starts.size, 2):
        queens = with_one(queens, place_of(setup, state[queens_at(setup) + queen]))
    return queens


@compiled(inlined=True)
def king_steps(setup: AmazonsSetup, members: Set) -> Set:
    """Return the set with all tiles one step away, and numbers of no tile."""
    width = np.uint64(setup.columns + 1)
    row = union(members, union(up(members, ONE), down(members, ONE)))
    return union(row, union(up(row, width), down(row, width)))


@compiled(inlined=True)
def queen_moves(setup: AmazonsSetup, members: Set, open_: Set) -> Set:
    """Return the tiles to which straight lines over open tiles lead; O(longest line)."""
    width = np.uint64(setup.columns + 1)
    left, right = width - ONE, width + ONE
    east, west, north, south = members, members, members, members
    ne, nw, se, sw = members, members, members, members
    found = empty(members)
    while True:
        east, west = common(up(east, ONE), open_), common(down(west, ONE), open_)
        south, north = common(up(south, width), open_), common(down(north, width), open_)
        se, nw = common(up(se, right), open_), common(down(nw, right), open_)
        sw, ne = common(up(sw, left), open_), common(down(ne, left), open_)
        straight = union(union(east, west), union(south, north))
        here = union(straight, union(union(se, nw), union(sw, ne)))
        if is_empty(here):
            return found
        found = union(found, here)
