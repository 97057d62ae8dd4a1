"""The evaluation of a position of Hex for searches of limited depth: the difference of distances.

The search of :mod:`ludograph.games.hex.evaluation.focus` has other values.
"""

from __future__ import annotations

from ludograph.games.hex.evaluation.distances import BLOCKED, distance
from ludograph.games.hex.rules import SWAPPED
from ludograph.games.hex.setup import BLACK, WHITE, HexSetup
from ludograph.rules import OVER, PLY, TURN, Scores, State, compiled, contract, implements

TEMPO = 0.5
"""The advantage of the color to move, in stones."""


@implements(contract.evaluate, HexSetup)
def hex_evaluate(setup: HexSetup, state: State, out: Scores) -> None:
    """Write the values of both seats by black's lead in stones, one half for none, inside (0, 1).

    After the end it writes the scores. For the pie rule see :func:`write_values`.
    """
    if state[TURN] == OVER:
        contract.scores(setup, state, out)
        return
    write_values(setup, state, black_value(setup, state), out)


@compiled
def write_values(setup: HexSetup, state: State, value: float, out: Scores) -> None:
    """Write the values of both seats, given the value of black.

    If the seat to move may swap, it has the greater value.
    """
    if state[PLY] == setup.swap_ply:
        value = min(value, 1.0 - value)  # seat 1 takes the color that is ahead
    seat = state[SWAPPED]
    out[seat] = value
    out[1 - seat] = 1.0 - value


@compiled
def black_value(setup: HexSetup, state: State) -> float:
    """Return black's value of an unfinished game, inside (0, 1), by the distances."""
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
