"""Moves that a search of Hex leaves out: those into dead or captured cells.

A *dead* cell cannot matter to either color; two cells are *captured* by a color if it can make
either of them dead by taking the other, so that it may as well own both (Björnsson, Hayward,
Johanson, van Rijswijck: "Dead cell analysis in Hex and the Shannon game", 2007). Both are seen in
the six neighbors of a hexagonal cell.
"""

from __future__ import annotations

from ludograph.games.hex.boards.rings import DEAD, POWERS, VULNERABLE
from ludograph.games.hex.rules import CELLS, FREE, STONE, Index, list_at
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
    empty(setup, state)
    if count == 0:  # decided, if not yet joined
        return contract.legal_moves(setup, state, out)
    return count


@compiled
def fill(setup: HexSetup, state: State) -> None:
    """Put stones on all vertices that are dead or captured, until there are no more.

    Only the cells are written; :func:`empty` takes it back. On other than hexagonal cells nothing
    is known.
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
def empty(setup: HexSetup, state: State) -> None:
    """Take back what was filled in: what the cells were is in the list of free vertices."""
    listed = list_at(setup)
    for place in range(state[FREE]):
        state[CELLS + state[listed + place]] = place


@compiled
def fill_in(setup: HexSetup, state: State, vertex: int) -> bool:
    """Put stones on a vertex that is dead, or captured together with a neighbor; tell whether."""
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
                # The neighbor sees this vertex at the opposite place.
                turned = back + POWERS[side + 3] * (1 + color)
                if (known >> (2 * side + color)) & 1 and facts[turned] & DEAD:
                    state[CELLS + vertex] = STONE - color
                    state[CELLS + other] = STONE - color
                    return True
    return False


@compiled
def is_vulnerable(setup: HexSetup, state: State, vertex: int, color: int) -> bool:
    """Tell whether a stone of the other color beside a free vertex would make it dead.

    A color need not move there: if that won, so would another move, for after the other's answer it
    would have to, and against a stone more.
    """
    facts = setup.facts[ring_code(setup, state, vertex)]
    return facts & (VULNERABLE << (1 - color)) != 0


@compiled
def ring_code(setup: HexSetup, state: State, vertex: int) -> int:
    """Return the colors around a vertex as digits to base 3: 0 free, 1 black, 2 white."""
    code = 0
    for side in range(6):
        cell = state[Index(CELLS + vertex + setup.steps[side])]
        code += POWERS[side] * (-cell if cell < 0 else 0)
    return code
