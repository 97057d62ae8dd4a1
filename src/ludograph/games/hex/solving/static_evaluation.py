"""The static evaluation of a position, by the table or by virtual and semi connections."""

from __future__ import annotations

from ludograph.games.hex.connections import NO_CONNECTION, VIRTUAL, connect, connect_after
from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.solving.grid import Grid, fill_in
from ludograph.games.hex.solving.workspace import (
    CARRIERS,
    CONNECTIONS,
    INFERIOR,
    KEPT,
    SYMMETRY,
    ProofWorkspace,
    cells_at,
    key_of,
    store_cells,
)
from ludograph.rules import compiled
from ludograph.rules.kernels.growth import reachable
from ludograph.rules.kernels.sets import (
    Set,
    empty,
    get,
    is_empty,
    meets,
    size,
    union,
    with_one,
    without,
)
from ludograph.search.proof.stack import ENDLESS
from ludograph.search.proof.table import find, numbers_at

OPEN = -1
"""The value instead of a color if no winner is proven."""


@compiled
def evaluate_by_connections(
    grid: Grid,
    workspace: ProofWorkspace,
    own: Set,
    theirs: Set,
    color: int,
    semi: bool,
    added: Set,
    lost: Set,
) -> tuple[int, Set, Set]:
    """Return the winner of a position by virtual and semi connections, or its must-play region.

    Parameters
    ----------
    own, theirs
        The stones of the color to move, and of the other color.
    color
        The color to move.
    semi
        Whether to search for a semi connection of the color to move. This is unnecessary if the
        color has got no stones by the last move: that move was in the must-play region, so it has
        broken all known semi connections.
    added, lost
        The cells that the last move has given to the other color, and to the color to move, by its
        stone and by filled-in cells; empty if the last move is unknown.

    Returns
    -------
    winner
        A color or ``OPEN``.
    carrier
        The carrier of the winner; or the union of the carriers of the other color's semi
        connections that determine ``must_play``.
    must_play
        If open, the must-play region of the color to move.
    """
    near, sides = grid.near, grid.sides
    nothing = empty(own)
    free = without(grid.board, union(own, theirs))
    if workspace.techniques[0] & CONNECTIONS == 0:
        for one in range(2):
            stones = own if one == color else theirs
            group = reachable(near, get(sides[one, 0], own), stones)
            if meets(group, get(sides[one, 1], own)):
                return one, nothing, nothing
        return OPEN, nothing, free
    connections = workspace.connections
    if semi:
        found, carrier, _ = connect(near, own, free, sides[color], True, connections)
        if found != NO_CONNECTION:
            return color, carrier, nothing
    other = 1 - color
    if is_empty(added) or workspace.techniques[0] & KEPT == 0:
        found, carrier, must_play = connect(near, theirs, free, sides[other], False, connections)
    else:
        found, carrier, must_play = connect_after(
            near, theirs, free, added, lost, sides[other], workspace.before, connections
        )
    if found == VIRTUAL or is_empty(must_play):
        return other, carrier, nothing
    return OPEN, carrier, must_play


@compiled
def winner_by(phi: int, delta: int, color: int) -> int:
    """Return the winner by the proof numbers of a position, or ``OPEN``.

    ``color`` is the color to move.
    """
    winner = OPEN
    if phi == 0:
        winner = color
    elif delta == 0:
        winner = 1 - color
    return winner


@compiled
def evaluate_child(
    grid: Grid, workspace: ProofWorkspace, black: Set, white: Set, move: int, color: int
) -> tuple[int, int, Set, Set]:
    """Evaluate the position after a move, and store it in the table.

    Parameters
    ----------
    black, white
        The stones after the move.
    color
        The color to move after it.

    Returns
    -------
    phi, delta
        The proof numbers. Those of an open position are 1 and the size of its must-play region.
    carrier
        The carrier of the winner, if the position is decided.
    filled
        The filled-in cells: as alternatives to this move, moves on them are not better. It is empty
        if the color to move has captured cells, since these may be the reason why others are dead.
    """
    techniques = workspace.techniques[0]
    table = workspace.table
    count = grid.ring.shape[0]
    black_captured = white_captured = empty(black)
    before = union(black, white)
    if techniques & INFERIOR:
        black, white, black_captured, white_captured = fill_in(
            grid, black, white, get(grid.near[move], black)
        )
    key, turned = key_of(black, white, color, count, techniques & SYMMETRY != 0)
    place = find(table, key)
    if place >= 0:
        phi, delta = numbers_at(table, place)
        winner = winner_by(phi, delta, color)
        carrier = cells_at(table, place, CARRIERS, turned, count, black)
    else:
        own, theirs = (black, white) if color == BLACK else (white, black)
        gained = black_captured if color == BLACK else white_captured
        winner, carrier, must_play = evaluate_by_connections(
            grid,
            workspace,
            own,
            theirs,
            color,
            not is_empty(gained),
            with_one(without(theirs, before), move),
            without(own, before),
        )
        phi, delta = 1, size(must_play)
        if winner == color:
            phi, delta = 0, ENDLESS
        elif winner != OPEN:
            phi, delta = ENDLESS, 0
        store_cells(table, key, turned, count, phi, delta, must_play, carrier, 0)
    if winner == BLACK:
        carrier = union(carrier, black_captured)
    elif winner == WHITE:
        carrier = union(carrier, white_captured)
    filled = without(union(black, white), before)
    if not is_empty(black_captured if color == BLACK else white_captured):
        filled = empty(filled)
    return phi, delta, carrier, filled
