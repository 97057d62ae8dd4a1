"""The odds that open components can be finished with the tiles left in the deck.

A component is finished only if a tile comes for each free cell beside it. So its odds are a product
over these cells. The odds of a cell depend on the number of remaining tiles that fit there: there
may be none.
"""

from __future__ import annotations

from ludograph.games.carcassonne.orientations import COMPONENT, ROTATIONS, IntArray
from ludograph.games.carcassonne.setup import PLACE_SLOTS, TILE_SLOTS, CarcassonneSetup
from ludograph.games.carcassonne.table import (
    CLAIMS,
    FIRST_NODE,
    NODES,
    OPEN,
    ORIENTATION,
    PLACE_CELL,
    beyond,
    fits,
    look_up,
)
from ludograph.games.carcassonne.tiles import SIDES
from ludograph.rules import Scores, State, compiled

TILE_MISSES = 0.88
"""The chance that a remaining tile which fits on a cell is not laid there: another place may be
better, or the game may end before."""


@compiled(inlined=True)
def node_count(setup: CarcassonneSetup, state: State) -> int:
    """Return the number of nodes: the components of all tiles on the table, merged or not."""
    return (state[NODES] - setup.layout.nodes) // setup.layout.width


@compiled(inlined=True)
def number_of(setup: CarcassonneSetup, node: int) -> int:
    """Return the index of a node among all nodes, from 0."""
    return (node - setup.layout.nodes) // setup.layout.width


@compiled
def write_odds(setup: CarcassonneSetup, state: State, odds: Scores, seen: IntArray) -> None:
    """Write the odds of each component with meeples that tiles come for all of its free cells.

    O(places * kinds) at worst: only cells beside such components are examined.

    Parameters
    ----------
    odds
        ``float64[nodes]``, by the index of a root; all 1 before the call. Other entries stay 1.
    seen
        ``int32[nodes]``: a workspace, all 0 before the call.
    """
    for place in range(state[OPEN]):
        record = setup.layout.places + PLACE_SLOTS * place
        here = -1.0
        for side in range(SIDES):
            what = beyond(setup, state, state[record + PLACE_CELL], side)
            if what <= 0:
                continue
            tile = setup.layout.tiles + TILE_SLOTS * (what - 1)
            there = COMPONENT + 3 * ((side + 2) & 3)
            last = -1
            for vertex in range(there, there + 3):
                component = setup.orientations[state[tile + ORIENTATION], vertex]
                if component == last:
                    continue
                last = component
                node = state[tile + FIRST_NODE] + component * setup.layout.width
                root = look_up(state, node)
                number = number_of(setup, root)
                if state[root + CLAIMS] > 0 and seen[number] != place + 1:
                    seen[number] = place + 1
                    if here < 0.0:
                        here = 1.0 - all_miss(tiles_fitting(setup, state, record))
                    odds[number] *= here


@compiled(inlined=True)
def all_miss(tiles: int) -> float:
    """Return the chance that none of some tiles comes; a product rounds alike on all machines."""
    chance = 1.0
    for _ in range(tiles):
        chance *= TILE_MISSES
    return chance


@compiled
def tiles_fitting(setup: CarcassonneSetup, state: State, place: int) -> int:
    """Return the number of remaining tiles that fit on the place with a record; O(kinds)."""
    count = 0
    for kind in range(setup.kinds):
        left = state[setup.layout.left + kind]
        if left > 0:
            for quarters in range(setup.orientations[SIDES * kind, ROTATIONS]):
                if fits(setup, state, place, SIDES * kind + quarters):
                    count += left
                    break
    return count
