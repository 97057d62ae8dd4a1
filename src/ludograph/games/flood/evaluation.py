"""What searches know of a position of Flood: its value, bounds of the scores, proof numbers."""

from __future__ import annotations

from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.zones import DROPPED, FREE, SIZE, gains_at, zone_at
from ludograph.rules import OVER, TURN, Scores, State, compiled, contract, implements
from ludograph.search.hints import score_bounds_at
from ludograph.search.proof.game import proof_numbers


@implements(contract.evaluate, FloodSetup)
def flood_evaluate(setup: FloodSetup, state: State, out: Scores) -> None:
    """Write the scores, what lies at a frontier half won; alone, what the rest may take."""
    contract.scores(setup, state, out)
    seats = setup.starts.size
    if state[TURN] == OVER:
        return
    if seats == 1:  # a move takes about five regions; only their ratio to a move matters
        out[0] -= 0.2 * state[FREE]
        return
    for seat in range(seats):
        if (state[DROPPED] >> seat) & 1:
            continue
        gains = gains_at(setup, seat)
        for color in range(setup.color_count):
            if not (setup.forbidden[seat] >> color) & 1:
                out[seat] += 0.5 * state[gains + color]


@implements(score_bounds_at, FloodSetup)
def flood_score_bounds(setup: FloodSetup, state: State, low: Scores, high: Scores) -> bool:
    """Write the size of each zone, and what it is with all free vertices; O(seats).

    No zone shrinks, and a vertex is in one zone at most. Where a capture may decide the game
    nothing is known; alone, the score is a number of moves.
    """
    if setup.capture or setup.starts.size == 1:
        return False
    contract.scores(setup, state, low)
    free = free_vertices(setup, state)
    for seat in range(setup.starts.size):
        is_out = (state[DROPPED] >> seat) & 1
        high[seat] = low[seat] if is_out else low[seat] + free
    return True


@compiled
def free_vertices(setup: FloodSetup, state: State) -> int:
    """Return the vertices that are in no zone; O(seats)."""
    free = setup.region_of.size
    for seat in range(setup.starts.size):
        free -= state[zone_at(seat) + SIZE]
    return free


@implements(proof_numbers, FloodSetup)
def flood_proof_numbers(setup: FloodSetup, state: State, out: Scores) -> None:
    """Write the vertices that each seat lacks to more than half of the board."""
    for seat in range(setup.starts.size):
        lacking = setup.region_of.size // 2 + 1 - state[zone_at(seat) + SIZE]
        out[seat] = max(1.0, float(lacking))
