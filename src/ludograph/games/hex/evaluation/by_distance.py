"""The evaluation of a position of Hex for searches of limited depth.

It is the difference of the distances; the search of :mod:`ludograph.games.hex.evaluation.focus` has
values of its own.
"""

from __future__ import annotations

from ludograph.games.hex.evaluation.distances import BLOCKED, distance
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
    write_values(setup, state, black_value(setup, state), out)


@compiled
def write_values(setup: HexSetup, state: State, value: float, out: Scores) -> None:
    """Write what both seats have of a position worth ``value`` to black; a swap is looked ahead."""
    if state[PLY] == setup.swap_ply:
        value = min(value, 1.0 - value)  # seat 1 takes the color that is ahead
    seat = state[SWAPPED]
    out[seat] = value
    out[1 - seat] = 1.0 - value


@compiled
def black_value(setup: HexSetup, state: State) -> float:
    """Return what the difference of the distances makes an unfinished game worth to black."""
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
