"""The evaluation of a position of Flood for searches of limited depth."""

from __future__ import annotations

from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.zones import DROPPED, FREE, gains_at
from ludograph.rules import OVER, TURN, Scores, State, contract, implements


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
