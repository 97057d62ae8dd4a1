"""The strategies of Carcassonne: ``greedy``, in addition to the generic searches."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from ludograph import rules
from ludograph.games.carcassonne.official import count_end
from ludograph.games.carcassonne.setup import CarcassonneSetup
from ludograph.games.position import Position
from ludograph.games.search_players import MinimaxPlayer
from ludograph.games.searching import GENERIC, mcts_options
from ludograph.games.strategy import Strategy
from ludograph.rules import OVER, TURN, Rng, State, compiled, random_below, random_state
from ludograph.rules.answers import fresh_state, play_at
from ludograph.search.mcts import SearchOptions
from ludograph.search.values import margin


class Greedy:
    """Tries every place, orientation and meeple, and plays the move that gives most points now."""

    def __init__(self, seed: int) -> None:
        self.rng = random_state(seed)

    def prepare(self, position: Position) -> None:
        """Load the kernel of the first move, so that this move is not delayed."""
        setup = position.setup
        state = fresh_state(setup)
        play_at(setup, state, int(rules.sample_move(setup, state, self.rng.copy())))
        greedy_placement(setup, state, self.rng.copy())

    def choose(self, position: Position) -> int:
        """Return a best move, at random among equal ones."""
        return int(greedy_placement(position.setup, position.state, self.rng))


EXPLORATION = 0.1
"""The exploration constant of Monte Carlo search in this game, whose rewards are mostly points."""

MARGIN_WEIGHT = 0.9
"""The weight of the margin in a reward."""

MARGIN_CAP = 300.0
"""The greatest margin that a reward can show: few games are won by more points."""

EXPAND_THRESHOLD = 20
"""The visits of a leaf before it is expanded; its value is that after the best reply."""

WIN_BONUS = 200.0
"""The points that alpha-beta adds for a win: about the difference between even chances and a sure
loss, so that small risks are weighed against points."""

TUNED = SearchOptions(
    c=EXPLORATION,
    margin_weight=MARGIN_WEIGHT,
    margin_cap=MARGIN_CAP,
    expand_threshold=EXPAND_THRESHOLD,
)


STRATEGIES: dict[str, Strategy] = {
    **{name: strategy for name, strategy in GENERIC.items() if name != "minimax"},
    "greedy": Strategy("greedy", "the move with most points at once", Greedy),
    "mcts": replace(
        GENERIC["mcts"],
        summary="Monte Carlo tree search with an evaluation",
        options=mcts_options(EXPLORATION),
    ),
    "expectimax": replace(
        GENERIC["minimax"],
        name="expectimax",
        make=partial(MinimaxPlayer, win_bonus=WIN_BONUS),
        summary="alpha-beta search that takes the mean over all tiles that may be drawn",
    ),
}
"""The strategies by name."""


@compiled(allocates=True)  # trying the moves takes far more time
def greedy_placement(setup: CarcassonneSetup, state: State, rng: Rng) -> int:
    """Return a random move of those that give the seat to move the greatest lead in points.

    By the official rules, the lead is that of a game which ends after the move.
    Every place, orientation and meeple is tried; O(moves * slots of a state).
    """
    seat, after = state[TURN], np.empty_like(state)
    moves, scores = np.empty(setup.capacity, np.int32), np.empty(setup.seats)
    best, most, ties = -1, -np.inf, 0
    for index in range(rules.legal_moves(setup, state, moves)):
        move = moves[index]
        rules.copy(state, after)
        rules.play(setup, after, move)
        if setup.official and after[TURN] != OVER:
            count_end(setup, after)
        rules.scores(setup, after, scores)
        ahead = margin(scores, seat)
        if ahead > most:
            most, ties = ahead, 0
        if ahead == most:
            ties += 1
            if random_below(rng, ties) == 0:
                best = move
    return best
