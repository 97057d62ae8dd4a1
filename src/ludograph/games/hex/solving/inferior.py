"""Fill-in of inferior cells: dead and captured cells get stones and are not searched.

The color of a *dead* cell cannot change the winner, so it may get any. Two free cells are
*captured* by a color if a stone of this color on either of them makes the other one dead. So the
color can make the opponent's stone on either cell dead, and both cells may get its stones without
changing the winner (Björnsson, Hayward, Johanson, van Rijswijck: "Dead cell analysis in Hex and the
Shannon game", 2007; Henderson: "Playing and solving the game of Hex", PhD thesis, University of
Alberta, 2010, chapter 3). The fill-in continues until no such cell is left.
"""

from __future__ import annotations

from ludograph.games.hex.boards.rings import POWERS
from ludograph.games.hex.solving.grid import Grid
from ludograph.rules import compiled
from ludograph.rules.kernels.bits import signed
from ludograph.rules.kernels.sets import (
    Set,
    bit_of,
    common,
    empty,
    first,
    get,
    has,
    is_empty,
    rest,
    single,
    union,
    with_one,
    without,
)


@compiled
def ring_code(grid: Grid, cell: int, black: Set, white: Set) -> int:
    """Return the ring of a free cell: six digits to base 3, 0 free, 1 black, 2 white."""
    code = grid.rim[cell]
    for direction in range(6):
        shift = grid.shifts[cell, direction]
        one = bit_of(black, shift)
        two = bit_of(white, shift)
        code += POWERS[direction] * signed(one + two + two)
    return code


@compiled
def fill_in(grid: Grid, black: Set, white: Set, changed: Set) -> tuple[Set, Set, Set, Set]:
    """Fill in dead and captured cells; O(1) for each cell with a changed ring.

    Parameters
    ----------
    changed
        The first cells to test: the free cells whose rings have changed since the last fill-in.

    Returns
    -------
    black, white
        The stones with the filled-in cells; dead cells are black.
    black_captured, white_captured
        The captured cells, which belong to the carrier of a win of this color.
    """
    ring, near, dead = grid.ring, grid.near, grid.dead
    black_captured = empty(black)
    white_captured = empty(black)
    free = without(grid.board, union(black, white))
    changed = common(changed, free)
    while not is_empty(changed):
        cell = first(changed)
        changed = rest(changed)
        code = ring_code(grid, cell, black, white)
        filled = empty(black)
        if dead[code]:
            black = with_one(black, cell)
            filled = single(cell, black)
        else:
            for direction in range(6):
                other = ring[cell, direction]
                if other < 0 or not has(free, other):
                    continue
                power = POWERS[direction]
                for_black = dead[code + power]
                for_white = dead[code + 2 * power]
                if not (for_black or for_white):
                    continue
                opposite = POWERS[(direction + 3) % 6]
                back = ring_code(grid, other, black, white)
                if for_black and dead[back + opposite]:
                    filled = with_one(single(cell, black), other)
                    black = union(black, filled)
                    black_captured = union(black_captured, filled)
                    break
                if for_white and dead[back + 2 * opposite]:
                    filled = with_one(single(cell, black), other)
                    white = union(white, filled)
                    white_captured = union(white_captured, filled)
                    break
        free = without(free, filled)
        while not is_empty(filled):
            changed = union(changed, get(near[first(filled)], black))
            filled = rest(filled)
        changed = common(changed, free)
    return black, white, black_captured, white_captured
