"""What a position of Hex is worth to a search of limited depth.

By default it is the difference of the distances. A setup with a ``circuit`` has its positions
valued by resistances instead; Numba compiles for each kind of setup only what it needs.
"""

from __future__ import annotations

from ludograph.games.hex.circuit import black_share
from ludograph.games.hex.distances import BLOCKED, distance
from ludograph.games.hex.elimination import Elimination
from ludograph.games.hex.rules import SWAPPED
from ludograph.games.hex.setup import BLACK, WHITE, HexSetup
from ludograph.rules import OVER, PLY, TURN, Scores, State, compiled, contract, implements

TEMPO = 0.5
"""What it is worth to be on the move, in stones."""


@implements(contract.evaluate, HexSetup)
def hex_evaluate(setup: HexSetup, state: State, out: Scores) -> None:
    """Write one half more or less by black's lead, inside (0, 1); a swap is looked ahead."""
    if state[TURN] == OVER:
        contract.scores(setup, state, out)
        return
    value = black_value(setup, state, setup.circuit)
    if state[PLY] == setup.swap_ply:
        value = min(value, 1.0 - value)  # seat 1 takes the color that is ahead
    seat = state[SWAPPED]
    out[seat] = value
    out[1 - seat] = 1.0 - value


@compiled
def black_value(setup: HexSetup, state: State, circuit: Elimination | None) -> float:
    """Return what an unfinished game is worth to black; the type of ``circuit`` decides how."""
    if circuit is not None:
        return black_share(setup.touches, state, circuit)
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
    return 0.5 + 0.5 * lead / (most + 1)
