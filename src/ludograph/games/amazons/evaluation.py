"""Whose territory a position of Amazons is: who gets to which tile first.

After Lieberum ("An evaluation function for the game of Amazons", Theoretical Computer Science 349,
2005): a tile belongs to the seat that needs fewer moves to it, once as queens move and once as
kings do. Kings' distances tell more while the board is open, queens' once it is divided.
"""

from __future__ import annotations

from ludograph.games.amazons.rules import FREE, QUEENS, cells_at
from ludograph.games.amazons.setup import AmazonsSetup
from ludograph.rules import OVER, TURN, Rng, Scores, State, compiled, contract, fill, implements

TEMPO = 0.15
"""What a tile is worth to the seat to move if both need as many moves to it."""

KINGS = 0.5
"""The weight of kings' distances where all tiles are contested; it falls with their share."""

SCALE = 8.0
"""A lead of so many tiles is taken for three wins in four."""

PLIES = 2
"""Random moves before Monte-Carlo search looks at the territory."""


@implements(contract.evaluate, AmazonsSetup)
def amazons_evaluate(setup: AmazonsSetup, state: State, out: Scores) -> None:
    """Write each seat's chance to win, as the territories tell it; O(length of all lines)."""
    contract.scores(setup, state, out)
    if state[TURN] != OVER:
        lead = territory(setup, state)
        out[0] = 0.5 + 0.5 * lead / (SCALE + abs(lead))
        out[1] = 1.0 - out[0]


@implements(contract.assess, AmazonsSetup)
def amazons_assess(setup: AmazonsSetup, state: State, rng: Rng, out: Scores) -> None:
    """Look at the territory after a few random moves.

    A whole random game says less (Lorentz: "Amazons discover Monte-Carlo", 2008).
    """
    plies = PLIES
    while state[TURN] != OVER and plies > 0:
        contract.play(setup, state, contract.sample_move(setup, state, rng))
        plies -= 1
    contract.evaluate(setup, state, out)


@compiled
def territory(setup: AmazonsSetup, state: State) -> float:
    """Return by how many tiles seat 0 is ahead."""
    n = setup.offsets.size - 1
    cells = cells_at(setup)
    room = cells + n
    for seat in range(2):
        spread(setup, state, seat, True, room + seat * n)
        spread(setup, state, seat, False, room + (2 + seat) * n)
    tempo = TEMPO if state[TURN] == 0 else -TEMPO
    by_queens, by_kings, contested, free = 0.0, 0.0, 0.0, 0.0
    for tile in range(n):
        if state[cells + tile] == FREE:
            own, other = state[room + tile], state[room + n + tile]
            free += 1.0
            if own > 0 and other > 0:
                contested += 0.5 ** abs(own - other)
            by_queens += sooner(own, other, tempo)
            by_kings += sooner(state[room + 2 * n + tile], state[room + 3 * n + tile], tempo)
    fill(state[room:], 0)
    weight = KINGS * contested / max(free, 1.0)
    return (1.0 - weight) * by_queens + weight * by_kings


@compiled
def sooner(own: int, other: int, tempo: float) -> float:
    """Return 1 if the first distance is the less, -1 if the second is; 0 is unreachable."""
    if own == other:
        return tempo if own > 0 else 0.0
    return 1.0 if other == 0 or 0 < own < other else -1.0


@compiled
def spread(setup: AmazonsSetup, state: State, seat: int, far: bool, room: int) -> None:
    """Write one more than the moves that a seat needs to each tile from slot ``room`` on.

    Parameters
    ----------
    far
        Whether it moves like queens, or like kings: a step at a time.
    """
    cells = cells_at(setup)
    queue = state.size - setup.offsets.size + 1
    last = 0
    for queen in range(seat * setup.queens, (seat + 1) * setup.queens):
        state[queue + last] = state[QUEENS + queen]
        state[room + state[QUEENS + queen]] = 1
        last += 1
    first = 0
    while first < last:
        tile = state[queue + first]
        first += 1
        steps = state[room + tile] + 1
        for line in range(setup.offsets[tile], setup.offsets[tile + 1]):
            begin, end = setup.lines[line], setup.lines[line + 1]
            for place in range(begin, end if far else min(end, begin + 1)):
                near = setup.tiles[place]
                if state[cells + near] != FREE or 0 < state[room + near] < steps:
                    break  # beyond a tile that is nearer, its own line goes on
                if state[room + near] == 0:
                    state[room + near] = steps
                    state[queue + last] = near
                    last += 1
