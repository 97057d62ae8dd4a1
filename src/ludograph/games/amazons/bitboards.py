"""Boards of Amazons as sets of tiles: all lines are followed at once.

On a full grid of squares a step in a direction is the same shift for all tiles. Masks stop lines at
the edges of rows: a step to the right never ends in the first column, a step to the left never in
the last one.
"""

import numpy as np

from ludograph.games.amazons.rules import BLOCKED, queens_at
from ludograph.games.amazons.setup import AmazonsSetup
from ludograph.rules import State, compiled
from ludograph.rules.kernels.bits import ONE
from ludograph.rules.kernels.sets import (
    Set,
    common,
    empty,
    get_of_state,
    is_empty,
    union,
    with_one,
    without,
)

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
    """Return the set of ``k - by``, without negative members; ``by`` is less than 64."""
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
    """Return the set of free tiles."""
    return without(setup.grid.tiles, blocked_tiles(setup.grid.tiles, state))


@compiled(inlined=True)
def blocked_tiles(like: Set, state: State) -> Set:
    """Return the set of tiles with queens and arrows."""
    return get_of_state(state, BLOCKED, like)


@compiled(inlined=True)
def queens_of(setup: AmazonsSetup, state: State, seat: int) -> Set:
    """Return the set of the tiles of a seat's queens."""
    queens = empty(setup.grid.tiles)
    for queen in range(seat, setup.starts.size, 2):
        queens = with_one(queens, state[queens_at(setup) + queen])
    return queens


@compiled(inlined=True)
def king_steps(setup: AmazonsSetup, members: Set, open_: Set) -> Set:
    """Return the open tiles that are one step away from the members of a set."""
    grid, width = setup.grid, np.uint64(setup.columns)
    right, left = common(up(members, ONE), grid.right), common(down(members, ONE), grid.left)
    row = union(members, union(right, left))
    return common(union(union(right, left), union(up(row, width), down(row, width))), open_)


@compiled(inlined=True)
def queen_moves(setup: AmazonsSetup, members: Set, open_: Set) -> Set:
    """Return the ends of straight lines over open tiles from a set; O(longest line)."""
    width = np.uint64(setup.columns)
    less, more = width - ONE, width + ONE
    to_right, to_left = common(open_, setup.grid.right), common(open_, setup.grid.left)
    east, west, north, south = members, members, members, members
    ne, nw, se, sw = members, members, members, members
    found = empty(members)
    while True:
        east, west = common(up(east, ONE), to_right), common(down(west, ONE), to_left)
        south, north = common(up(south, width), open_), common(down(north, width), open_)
        se, nw = common(up(se, more), to_right), common(down(nw, more), to_left)
        sw, ne = common(up(sw, less), to_left), common(down(ne, less), to_right)
        straight = union(union(east, west), union(south, north))
        here = union(straight, union(union(se, nw), union(sw, ne)))
        if is_empty(here):
            return found
        found = union(found, here)
