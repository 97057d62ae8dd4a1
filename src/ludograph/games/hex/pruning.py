"""Pruning of moves for searches of Hex: moves into dead or captured cells are left out.

The color of a stone on a *dead* cell cannot change the winner. Two free cells are *captured* by a
color if a stone of this color on either of them makes the other one dead; both may then get stones
of this color without changing the winner (Björnsson, Hayward, Johanson, van Rijswijck: "Dead cell
analysis in Hex and the Shannon game", 2007). The six neighbors of a hexagonal cell show whether it
is dead or captured.
"""

from __future__ import annotations

from ludograph.games.hex.rings import DEAD, POWERS, VULNERABLE
from ludograph.games.hex.rules import CELLS, FREE, STONE, list_at
from ludograph.games.hex.setup import BLACK, EXACTLY_ONE, WHITE, HexSetup
from ludograph.rules import PLY, Moves, State, compiled, contract, implements
from ludograph.search.hints import candidates


@implements(candidates, HexSetup)
def hex_candidates(setup: HexSetup, state: State, out: Moves) -> int:
    everything = contract.legal_moves(setup, state, out)
    if setup.joined != EXACTLY_ONE or everything == 0 or state[PLY] == setup.swap_ply:
        return everything
    for place in range(everything):
        fill_in(setup, state, out[place])
    count = 0
    for place in range(everything):
        vertex = out[place]
        if state[CELLS + vertex] >= 0:
            out[count] = vertex
            count += 1
    take_back(setup, state)
    if count == 0:  # the game is decided, though no borders are joined yet
        return contract.legal_moves(setup, state, out)
    return count


@compiled
def fill(setup: HexSetup, state: State) -> None:
    """Put stones on dead and captured vertices until there are none left.

    It writes only the cells of the state; :func:`empty` undoes this. On boards without hexagonal
    cells it does nothing.
    """
    if setup.joined != EXACTLY_ONE:
        return
    listed = list_at(setup)
    changed = True
    while changed:
        changed = False
        for place in range(state[FREE]):
            if fill_in(setup, state, state[listed + place]):
                changed = True


@compiled
def take_back(setup: HexSetup, state: State) -> None:
    """Undo :func:`fill`: write the places of the list of free vertices to their cells again."""
    listed = list_at(setup)
    for place in range(state[FREE]):
        state[CELLS + state[listed + place]] = place


@compiled
def fill_in(setup: HexSetup, state: State, vertex: int) -> bool:
    """Fill in a vertex if it is dead, or captured together with a neighbor; return whether it is.

    A captured pair gets two stones.
    """
    facts = setup.facts
    known = facts[ring_code(setup, state, vertex)]
    if known == 0 or state[CELLS + vertex] < 0:
        return False
    if known & DEAD:
        state[CELLS + vertex] = STONE
        return True
    for side in range(3):
        if (known >> (2 * side)) & 3:
            other = vertex + setup.steps[side]
            back = ring_code(setup, state, other)
            for color in (BLACK, WHITE):
                # In the neighbor's ring this vertex is at the opposite place.
                turned = back + POWERS[side + 3] * (1 + color)
                if (known >> (2 * side + color)) & 1 and facts[turned] & DEAD:
                    state[CELLS + vertex] = STONE - color
                    state[CELLS + other] = STONE - color
                    return True
    return False


@compiled
def is_vulnerable(setup: HexSetup, state: State, vertex: int, color: int) -> bool:
    """Tell whether one stone of the other color beside a free vertex makes the vertex dead.

    A color need not move on such a *vulnerable* vertex. If this move wins, so does another one:
    after the killing answer the color still has a winning move, and that move also wins without the
    dead stone and the answer.
    """
    facts = setup.facts[ring_code(setup, state, vertex)]
    return facts & (VULNERABLE << (1 - color)) != 0


@compiled
def ring_code(setup: HexSetup, state: State, vertex: int) -> int:
    """Return the ring of a vertex: six digits to base 3, 0 free, 1 black, 2 white."""
    code = 0
    for side in range(6):
        cell = state[CELLS + vertex + setup.steps[side]]
        code += POWERS[side] * (-cell if cell < 0 else 0)
    return code
