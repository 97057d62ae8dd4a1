"""Counts of tiles by the moves that both seats need to them, the input of the evaluation.

After Lieberum ("An evaluation function for the game of Amazons", Theoretical Computer Science 349,
2005): the distance of a seat to a tile is that of its nearest queen, once by the moves of queens
and once by those of kings, which take one step at a time. A grid is counted by sets of bits, any
other board by lists of lines; both counts are equal.

On a full grid of squares a step in a direction is the same shift for all tiles. Masks stop lines at
the edges of rows: a step to the right never ends in the first column, a step to the left never in
the last one.
"""

from typing import NamedTuple

import numpy as np

from ludograph import rules
from ludograph.games.amazons.rules import BLOCKED, CELLS, FREE, queens_at
from ludograph.games.amazons.setup import AmazonsSetup
from ludograph.rules import State, compiled
from ludograph.rules.kernels.bits import ONE
from ludograph.rules.kernels.sets import (
    Set,
    common,
    empty,
    get_of_state,
    is_empty,
    size,
    union,
    with_one,
    without,
)


class Territory(NamedTuple):
    """Sums over the free tiles; a lead is seat 0's count less seat 1's."""

    queens: int
    """The lead in tiles that a seat reaches in fewer moves than the other, by moves of queens."""
    kings: int
    """The same lead by moves of kings."""
    contested: float
    """The sum of one half to the power of the difference of both distances, by moves of queens.
    Tiles whose distances differ by more than 2 add nothing."""


@compiled
def territory(setup: AmazonsSetup, state: State) -> Territory:
    """Count the tiles of a position; O(length of all lines) at most."""
    if not is_empty(setup.grid.tiles):
        return grid_territory(setup, state)
    return line_territory(setup, state)


@compiled
def grid_territory(setup: AmazonsSetup, state: State) -> Territory:
    """Count by sets of tiles: all tiles at one distance together."""
    free = free_tiles(setup, state)
    first, second = queens_of(setup, state, 0), queens_of(setup, state, 1)
    # Queens: the sets at a distance, at the two distances before, and at no distance so far.
    own, other = first, second
    own_before, other_before = empty(free), empty(free)
    own_left, other_left = free, free
    queens, equal, next_to, two_apart = 0, 0, 0, 0
    while not (is_empty(own) and is_empty(other)):
        own_first, other_first, own_before, other_before = own_before, other_before, own, other
        own = queen_moves(setup, own_before, own_left)
        other = queen_moves(setup, other_before, other_left)
        queens += size(common(own, other_left)) - size(common(other, own_left))
        own_left, other_left = without(own_left, own), without(other_left, other)
        equal += size(common(own, other))
        next_to += size(common(own, other_before)) + size(common(other, own_before))
        two_apart += size(common(own, other_first)) + size(common(other, own_first))
    # Kings: a seat is never first beyond a tile that the other seat has reached before.
    kings, own, other, left = 0, first, second, free
    while not (is_empty(own) and is_empty(other)):
        own, other = king_steps(setup, own, left), king_steps(setup, other, left)
        kings += size(own) - size(other)
        left = without(left, union(own, other))
    return Territory(queens, kings, equal + 0.5 * next_to + 0.25 * two_apart)


@compiled
def line_territory(setup: AmazonsSetup, state: State) -> Territory:
    """Count tile by tile, by distances along the lines."""
    n, distances = setup.offsets.size - 1, state[queens_at(setup) + setup.starts.size :]
    for kind in range(4):  # queens of seat 0 and 1, kings of seat 0 and 1
        spread(setup, state, kind % 2, kind < 2, distances[kind * n :])
    queens, kings, contested = 0, 0, 0.0
    for tile in range(n):
        if state[CELLS + tile] == FREE:
            own, other = distances[tile], distances[n + tile]
            queens += sooner(own, other)
            if own > 0 and other > 0 and abs(own - other) <= 2:
                contested += 0.5 ** abs(own - other)
            kings += sooner(distances[2 * n + tile], distances[3 * n + tile])
    rules.fill(distances, 0)
    return Territory(queens, kings, contested)


@compiled
def sooner(own: int, other: int) -> int:
    """Return 1 if ``own`` is less than ``other``, -1 if it is greater; 0 stands for infinity."""
    if own == other:
        return 0
    return 1 if other == 0 or 0 < own < other else -1


@compiled
def spread(setup: AmazonsSetup, state: State, seat: int, far: bool, out: State) -> None:
    """Write one more than a seat's distance to each tile; unreachable tiles stay 0.

    Parameters
    ----------
    far
        Whether the distances are those of queens; else those of kings, a step at a time.
    out
        All zeros before the call.
    """
    head, tail, queue = 0, 0, state[state.size - setup.offsets.size + 1 :]
    for queen in range(seat, setup.starts.size, 2):
        tile = state[queens_at(setup) + queen]
        queue[tail], out[tile] = tile, 1
        tail += 1
    while head < tail:
        tile = queue[head]
        head += 1
        for line in range(setup.offsets[tile], setup.offsets[tile + 1]):
            begin, end = setup.lines[line], setup.lines[line + 1]
            for place in range(begin, end if far else min(end, begin + 1)):
                near = setup.tiles[place]
                if state[CELLS + near] != FREE or 0 < out[near] <= out[tile]:
                    break  # the line of the nearer tile continues beyond it
                if out[near] == 0:
                    queue[tail], out[near] = near, out[tile] + 1
                    tail += 1


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
def blocked_tiles(template: Set, state: State) -> Set:
    """Return the set of tiles with queens and arrows."""
    return get_of_state(state, BLOCKED, template)


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
        near = union(straight, union(union(se, nw), union(sw, ne)))
        if is_empty(near):
            return found
        found = union(found, near)
