"""What a position of Hex is worth to a search of limited depth: the difference of the distances."""

from __future__ import annotations

from ludograph.games.hex.distances import BLOCKED, distance
from ludograph.games.hex.rules import SWAPPED
from ludograph.games.hex.setup import BLACK, WHITE, HexSetup
from ludograph.rules import OVER, PLY, TURN, Scores, State, contract, implements

TEMPO = 0.5
"""What it is worth to be on the move, in stones."""


@implements(contract.evaluate, HexSetup)
def hex_evaluate(setup: HexSetup, state: State, out: Scores) -> None:
    """Write one half more or less by the lead in stones, inside (0, 1); a swap is looked ahead."""
    if state[TURN] == OVER:
        contract.scores(setup, state, out)
        return
    most = setup.free.size + 1
    black = distance(setup, state, BLACK)
    white = distance(setup, state, WHITE)
    if black == BLOCKED:
        black = most
    if white == BLOCKED:
        white = most
    lead = float(white - black)
    if black != white or black != most:
        lead += TEMPO if state[TURN] ^ state[SWAPPED] == BLACK else -TEMPO
    value = 0.5 + 0.5 * lead / (most + 1)
    if state[PLY] == setup.swap_ply:
        value = min(value, 1.0 - value)  # seat 1 takes the color that is ahead
    seat = state[SWAPPED]
    out[seat] = value
    out[1 - seat] = 1.0 - value
