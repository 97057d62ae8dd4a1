"""The evaluation and the expansion of a position in a proof of Hex.

Every proven result has a *carrier*, which is a set of free cells on which the winner wins even if
the loser owns all other cells. If a move loses with a carrier, all moves outside of this carrier
lose, too. So the moves left to try are the common cells of the carriers of all refuted moves, the
*must-play region*. When no move is left, the union of these carriers is the carrier of the loss
(Hayward, Björnsson, Johanson, Kan, Po, van Rijswijck: "Solving 7 x 7 Hex with domination, virtual
connections, and game-state reduction", TCS 349, 2005). At the start, the carriers of the other
color's semi connections narrow the region.

The search is that of :mod:`ludograph.search.proof.search`, with colors as its seats.

A position is evaluated first: by the table, or by virtual and semi connections.
"""

from __future__ import annotations

from typing import Any

from ludograph.games.hex.connections.search import NO_CONNECTION, VIRTUAL, connect
from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.solving.grid import Grid, fill_in
from ludograph.games.hex.solving.workspace import (
    CARRIERS,
    CONNECTIONS,
    DOMINATED,
    INFERIOR,
    MOVES_LEFT,
    MUST_PLAY,
    REVERSIBLE,
    ProofWorkspace,
    cells_at,
    key_of,
    store_cells,
)
from ludograph.rules import compiled, implements, register
from ludograph.rules.kernels.growth import reachable
from ludograph.rules.kernels.sets import (
    Set,
    common,
    empty,
    first,
    full,
    get,
    has,
    is_empty,
    meets,
    put,
    rest,
    size,
    union,
    with_one,
    without,
    without_one,
)
from ludograph.search.proof import game
from ludograph.search.proof.game import find, numbers_at
from ludograph.search.proof.stack import ENDLESS, ProofStack, list_move, return_loss, return_win

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
    found, carrier, must_play = connect(near, theirs, free, sides[other], False, connections)
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
    table = workspace.table
    black_captured = white_captured = empty(black)
    before = union(black, white)
    if workspace.techniques[0] & INFERIOR:
        black, white, black_captured, white_captured = fill_in(
            grid, black, white, get(grid.near[move], black)
        )
    key = key_of(black, white, color)
    place = find(table, key)
    if place >= 0:
        phi, delta = numbers_at(table, place)
        winner = winner_by(phi, delta, color)
        carrier = cells_at(table, place, CARRIERS, black)
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
        )
        phi, delta = 1, size(must_play)
        if winner == color:
            phi, delta = 0, ENDLESS
        elif winner != OPEN:
            phi, delta = ENDLESS, 0
        store_cells(table, key, phi, delta, must_play, carrier, 0)
    if winner == BLACK:
        carrier = union(carrier, black_captured)
    elif winner == WHITE:
        carrier = union(carrier, white_captured)
    filled = without(union(black, white), before)
    if not is_empty(black_captured if color == BLACK else white_captured):
        filled = empty(filled)
    return phi, delta, carrier, filled


@implements(game.expand, Grid)
def hex_expand(setup: Grid, workspace: ProofWorkspace, stack: ProofStack, level: int) -> bool:
    """Decide a position by its evaluation or by that of its children, else list its moves.

    Return whether it is decided. Moves at the borders are evaluated last: another move often
    *dominates* them, that is, fills in their cell.
    """
    color = stack.frames[level].seat
    last = -1 if level == 0 else stack.frames[level - 1].move
    stack.frames[level].move = -1
    node = workspace.levels[level]
    winner = evaluate_node(setup, workspace, color, node, last)
    if winner != OPEN:
        if winner == color:
            return_win(stack)
        else:
            return_loss(stack)
        return True
    if workspace.techniques[0] & REVERSIBLE:
        leave_out_reversible(setup, node, 1 - color)
    inner = setup.inner
    before_black, before_white = get(node.stones[BLACK], inner), get(node.stones[WHITE], inner)
    left = get(node.must_play, inner)
    while not is_empty(left):
        inside = common(left, inner)
        move = first(left if is_empty(inside) else inside)
        left = without_one(left, move)
        black = with_one(before_black, move) if color == BLACK else before_black
        white = with_one(before_white, move) if color == WHITE else before_white
        phi, delta, carrier, filled = evaluate_child(
            setup, workspace, black, white, move, 1 - color
        )
        if delta == 0:
            put(workspace.carrier, with_one(carrier, move))
            stack.frames[level].move = move
            return_win(stack)
            return True
        if phi == 0:
            rule_out(workspace, node, move, carrier)
        else:
            list_move(stack, level, move, phi, delta)
            if workspace.techniques[0] & DOMINATED:
                put(node.must_play, without(get(node.must_play, inner), filled))
        left = common(left, get(node.must_play, inner))
    keep_must_play(setup, workspace, stack, level)
    return False


@compiled
def evaluate_node(grid: Grid, workspace: ProofWorkspace, color: int, node: Any, last: int) -> int:
    """Fill in a position; return its winner by the table or by connections, or ``OPEN``.

    It writes the stones, the captured cells, the key and the must-play region of the level, and,
    with a winner, ``workspace.carrier``.

    Parameters
    ----------
    color
        The color to move.
    node
        The level of the position.
    last
        The move before, or -1.
    """
    table = workspace.table
    black, white = get(node.stones[BLACK], grid.board), get(node.stones[WHITE], grid.board)
    black_captured = white_captured = empty(black)
    if workspace.techniques[0] & INFERIOR:
        changed = full(black) if last < 0 else get(grid.near[last], black)
        black, white, black_captured, white_captured = fill_in(grid, black, white, changed)
        put(node.stones[BLACK], black)
        put(node.stones[WHITE], white)
    put(node.captured[BLACK], black_captured)
    put(node.captured[WHITE], white_captured)
    node.key = key_of(black, white, color)
    place = find(table, node.key)
    if place < 0:
        own, theirs = (black, white) if color == BLACK else (white, black)
        winner, carrier, must_play = evaluate_by_connections(
            grid, workspace, own, theirs, color, True
        )
    else:
        phi, delta = numbers_at(table, place)
        winner = winner_by(phi, delta, color)
        carrier = cells_at(table, place, CARRIERS, black)
        must_play = cells_at(table, place, MOVES_LEFT, black)
    if winner != OPEN:
        put(workspace.carrier, carrier)
    put(node.must_play, must_play)
    put(node.carriers, carrier)
    return winner


@compiled
def leave_out_reversible(grid: Grid, node: Any, other: int) -> None:
    """Leave out the *dead-reversible* moves, which become dead by an answer of the other color.

    If such a move wins, so does another one: after the answer the color still has a winning move,
    and that move also wins without the dead stone and the answer. The answers, and the cells that
    they capture, are added to the carriers of refuted moves.
    """
    black, white = get(node.stones[BLACK], grid.board), get(node.stones[WHITE], grid.board)
    must_play, carriers = get(node.must_play, black), get(node.carriers, black)
    stones = union(black, white)
    left = without(grid.board, stones)
    while not is_empty(left):
        answer = first(left)
        left = rest(left)
        one = with_one(black, answer) if other == BLACK else black
        two = with_one(white, answer) if other == WHITE else white
        one, two, black_captured, white_captured = fill_in(
            grid, one, two, get(grid.near[answer], black)
        )
        captured = union(black_captured, white_captured)
        dead = without(union(one, two), union(with_one(stones, answer), captured))
        if meets(dead, must_play):
            must_play = without(must_play, dead)
            needed = black_captured if other == BLACK else white_captured
            carriers = union(with_one(carriers, answer), needed)
    put(node.must_play, must_play)
    put(node.carriers, carriers)


@compiled
def rule_out(workspace: ProofWorkspace, node: Any, move: int, carrier: Set) -> None:
    """Note that a move loses with a carrier: narrow the must-play region, add to the carriers."""
    must_play = without_one(get(node.must_play, carrier), move)
    if workspace.techniques[0] & MUST_PLAY:
        must_play = common(must_play, carrier)
    put(node.must_play, must_play)
    put(node.carriers, union(get(node.carriers, carrier), carrier))


@compiled
def keep_must_play(grid: Grid, workspace: ProofWorkspace, stack: ProofStack, level: int) -> None:
    """Remove listed moves outside of the must-play region; without any, the node is lost.

    Then it writes the carrier of the loss to ``workspace.carrier``.
    """
    node = workspace.levels[level]
    moves, phis, deltas = stack.moves[level], stack.phis[level], stack.deltas[level]
    must_play = get(node.must_play, grid.board)
    kept = 0
    for place in range(stack.frames[level].count):
        move, phi, delta = moves[place], phis[place], deltas[place]
        if has(must_play, move):
            moves[kept], phis[kept], deltas[kept] = move, phi, delta
            kept += 1
    stack.frames[level].count = kept
    if kept == 0:
        put(workspace.carrier, get(node.carriers, grid.board))


@implements(game.descend, Grid)
def hex_descend(setup: Grid, workspace: ProofWorkspace, stack: ProofStack, level: int) -> None:
    """Write the stones after the move of a level to the next level."""
    color = stack.frames[level].seat
    node, child = workspace.levels[level], workspace.levels[level + 1]
    own, theirs = get(node.stones[color], setup.board), get(node.stones[1 - color], setup.board)
    put(child.stones[color], with_one(own, stack.frames[level].move))
    put(child.stones[1 - color], theirs)
    stack.frames[level + 1].seat = 1 - color


@implements(game.remember, Grid)
def hex_remember(setup: Grid, workspace: ProofWorkspace, stack: ProofStack, level: int) -> None:
    """Store a position in the table; add the winner's captured cells to ``workspace.carrier``.

    The entry of a decided position does not change, so that it keeps the nodes of its proof.
    """
    progress, frame, node = stack.progress[0], stack.frames[level], workspace.levels[level]
    winner = winner_by(progress.phi, progress.delta, frame.seat)
    must_play, carriers = get(node.must_play, setup.board), get(node.carriers, setup.board)
    if winner != OPEN:
        must_play, carriers = empty(carriers), get(workspace.carrier, carriers)
        put(workspace.carrier, union(carriers, get(node.captured[winner], carriers)))
        place = find(workspace.table, node.key)
        if place >= 0 and winner_by(*numbers_at(workspace.table, place), frame.seat) != OPEN:
            return
    store_cells(
        workspace.table,
        node.key,
        progress.phi,
        progress.delta,
        must_play,
        carriers,
        1 + progress.nodes - frame.entered,
    )


@implements(game.learn, Grid)
def hex_learn(
    setup: Grid, workspace: ProofWorkspace, stack: ProofStack, level: int, wins: bool
) -> None:
    """Use the proven result of a child: add a winning move to the carrier, or rule out moves.

    If the move loses, all moves outside of the carrier of the loss are ruled out.
    """
    carrier = get(workspace.carrier, setup.board)
    move = stack.frames[level].move
    if wins:
        put(workspace.carrier, with_one(carrier, move))
    else:
        rule_out(workspace, workspace.levels[level], move, carrier)
        keep_must_play(setup, workspace, stack, level)


register(Grid, hex_expand, hex_descend, hex_remember, hex_learn)
