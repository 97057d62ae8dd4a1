"""Values for searches of Flood: evaluation, playouts, bounds of the scores, proof numbers."""

from __future__ import annotations

from ludograph.games.flood.rules import DROPPED, FREE, SIZE, gains_at, legal_colors, zone_at
from ludograph.games.flood.setup import FloodSetup
from ludograph.rules import (
    OVER,
    TURN,
    Rng,
    Scores,
    State,
    compiled,
    contract,
    implements,
    random_below,
)
from ludograph.search.hints import score_bounds_at
from ludograph.search.proof.game import proof_numbers


@implements(contract.evaluate, FloodSetup)
def flood_evaluate(setup: FloodSetup, state: State, out: Scores) -> None:
    """Write an estimate of the final scores; O(seats * colors).

    It is the zone's size plus half of the vertices of the frontier that the seat may take. For a
    single seat it is the score minus the expected number of further moves.
    """
    contract.scores(setup, state, out)
    seats = setup.starts.size
    if state[TURN] == OVER:
        return
    if seats == 1:  # a move takes about five regions
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
    """Write bounds of the final scores, and return whether there are any; O(seats).

    The lower bound is the size of the zone, since no zone shrinks. The upper bound adds all free
    vertices. The variant with captures and solo games have no bounds.
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
    """Return the number of vertices in no zone; O(seats)."""
    free = setup.region_of.size
    for seat in range(setup.starts.size):
        free -= state[zone_at(seat) + SIZE]
    return free


@implements(proof_numbers, FloodSetup)
def flood_proof_numbers(setup: FloodSetup, state: State, out: Scores) -> None:
    """Write initial proof numbers: the vertices that a seat needs to own over half of the board."""
    for seat in range(setup.starts.size):
        lacking = setup.region_of.size // 2 + 1 - state[zone_at(seat) + SIZE]
        out[seat] = max(1.0, float(lacking))


@implements(contract.playout, FloodSetup)
def flood_playout(setup: FloodSetup, state: State, rng: Rng, out: Scores) -> None:
    # Random passes would end undecided games, so a playout passes only if no color is legal. The
    # probability of a color grows with its gain: this is closer to real play at the same cost.
    while state[TURN] != OVER:
        contract.play(setup, state, weighted_color(setup, state, rng))
    contract.scores(setup, state, out)


@compiled
def weighted_color(setup: FloodSetup, state: State, rng: Rng) -> int:
    """Return a random legal color, with probability proportional to its gain plus 1, or the pass.

    The pass is returned only if no color is legal.
    """
    colors = legal_colors(setup, state)
    gains = gains_at(setup, state[TURN])
    total = 0
    for color in range(setup.color_count):
        if (colors >> color) & 1:
            total += state[gains + color] + 1
    if total == 0:
        return setup.color_count
    rest = random_below(rng, total)
    for color in range(setup.color_count):
        if (colors >> color) & 1:
            rest -= state[gains + color] + 1
            if rest < 0:
                return color
    return setup.color_count
