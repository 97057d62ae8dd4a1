"""Territory in Amazons: the tiles that each player reaches first.

After Lieberum ("An evaluation function for the game of Amazons", Theoretical Computer Science 349,
2005): a tile belongs to the seat that needs fewer moves to it, once as queens move and once as
kings do. Kings' distances tell more while the board is open, queens' once it is divided.
"""

from ludograph import rules
from ludograph.games.amazons.rules import CELLS, FREE, queens_at
from ludograph.games.amazons.setup import AmazonsSetup
from ludograph.rules import OVER, TURN, Rng, Scores, State, compiled, implements
from ludograph.search.mcts.hints import leaf_value

TEMPO = 0.15
"""What a tile is worth to the seat to move if both need as many moves to it."""

KINGS = 0.5
"""The weight of kings' distances where all tiles are contested; it falls with their share."""

SCALE = 8.0
"""The lead in tiles that counts as three wins in four."""


@implements(rules.evaluate, AmazonsSetup)
def amazons_evaluate(setup: AmazonsSetup, state: State, out: Scores) -> None:
    """Write each seat's chance to win, as the territories tell it; O(length of all lines)."""
    rules.scores(setup, state, out)
    if state[TURN] != OVER:
        lead = territory(setup, state)
        out[0] = 0.5 + 0.5 * lead / (SCALE + abs(lead))
        out[1] = 1.0 - out[0]


@implements(leaf_value, AmazonsSetup)
def amazons_leaf_value(setup: AmazonsSetup, state: State, rng: Rng, out: Scores) -> None:  # noqa: ARG001
    """Look at the territory at once: random games say less.

    Lorentz ("Amazons discover Monte-Carlo", 2008) found so; a few random moves before it gain
    nothing here.
    """
    rules.evaluate(setup, state, out)


@compiled
def territory(setup: AmazonsSetup, state: State) -> float:
    """Return by how many tiles seat 0 is ahead."""
    n, room = setup.offsets.size - 1, state[queens_at(setup) + setup.starts.size :]
    for kind in range(4):  # queens of seat 0 and 1, kings of seat 0 and 1
        spread(setup, state, kind % 2, kind < 2, room[kind * n :])
    tempo = TEMPO if state[TURN] == 0 else -TEMPO
    by_queens, by_kings, contested = 0.0, 0.0, 0.0
    for tile in range(n):
        if state[CELLS + tile] == FREE:
            own, other = room[tile], room[n + tile]
            contested += 0.5 ** abs(own - other) if own * other > 0 else 0.0
            by_queens += sooner(own, other, tempo)
            by_kings += sooner(room[2 * n + tile], room[3 * n + tile], tempo)
    rules.fill(room, 0)
    return by_queens + KINGS * contested / n * (by_kings - by_queens)


@compiled
def sooner(own: int, other: int, tempo: float) -> float:
    """Return 1 if the first distance is the less, -1 if the second is; 0 is unreachable."""
    if own == other:
        return tempo if own > 0 else 0.0
    return 1.0 if other == 0 or 0 < own < other else -1.0


@compiled
def spread(setup: AmazonsSetup, state: State, seat: int, far: bool, out: State) -> None:
    """Write one more than the number of moves that a seat needs to each tile.

    Parameters
    ----------
    far
        Whether it moves like queens, or like kings: a step at a time.
    out
        All zeros.
    """
    first, last, queue = 0, 0, state[state.size - setup.offsets.size + 1 :]
    for queen in range(seat, setup.starts.size, 2):
        tile = state[queens_at(setup) + queen]
        queue[last], out[tile] = tile, 1
        last += 1
    while first < last:
        tile = queue[first]
        first += 1
        for line in range(setup.offsets[tile], setup.offsets[tile + 1]):
            begin, end = setup.lines[line], setup.lines[line + 1]
            for place in range(begin, end if far else min(end, begin + 1)):
                near = setup.tiles[place]
                if state[CELLS + near] != FREE or 0 < out[near] <= out[tile]:
                    break  # beyond a tile that is nearer, its own line goes on
                if out[near] == 0:
                    queue[last], out[near] = near, out[tile] + 1
                    last += 1
