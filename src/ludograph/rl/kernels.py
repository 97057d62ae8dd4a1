"""Games in lockstep: a row of each array is a game, and a step plays one move in each game.

A game that ends begins again at once. The moves of chance and of random opponents are drawn from
the generator of the row, so the games of a row depend neither on other rows nor on threads.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import CHANCE, OVER, PLY, TURN, Moves, Rng, Scores, Setup, State, compiled
from ludograph.rules.batch import AllScores, States

NOBODY = -1
"""The learner of a row whose seats are all played by the caller."""

Table = npt.NDArray[np.float32]
Mask = npt.NDArray[np.int8]


@compiled
def begin(setup: Setup, state: State, rng: Rng, learner: int, random_others: bool) -> None:
    """Start a game, and play to the first decision of the learner, or of any seat."""
    rules.start(setup, state)
    go_on(setup, state, rng, learner, random_others)


@compiled
def go_on(setup: Setup, state: State, rng: Rng, learner: int, random_others: bool) -> None:
    """Play the moves of chance and random opponents, until a decision of the caller or the end."""
    while state[TURN] == CHANCE or (
        random_others and state[TURN] != OVER and state[TURN] != learner
    ):
        rules.play(setup, state, rules.sample_move(setup, state, rng))


@compiled
def begin_all(
    setup: Setup, states: States, rngs: Rng, learners: Moves, random_others: bool
) -> None:
    """Start the game of each row; ``rngs`` is ``uint64[games]``, ``learners`` ``int32[games]``."""
    for game in range(states.shape[0]):
        begin(setup, states[game], rngs[game : game + 1], learners[game], random_others)


@compiled
def step_all(
    setup: Setup,
    states: States,
    rngs: Rng,
    learners: Moves,
    random_others: bool,
    turns: int,
    moves: Moves,
    rewards: Table,
    scores: AllScores,
    ended: Mask,
    lengths: Moves,
    room: Scores,
) -> None:
    """Play a move in every game; games that end begin again.

    Parameters
    ----------
    learners
        ``int32[games]``: the learner's seat in each game, or ``NOBODY``.
    random_others
        Whether the other seats play random moves.
    turns
        The number of seats by which the learner moves on when a game begins again: 0 or 1.
    moves
        ``int32[games]``: legal moves; -1 plays no move.
    rewards
        ``float32[games, seats]``, written: the rewards of this step; see :func:`reward_ranks`.
    scores
        ``float64[games, seats]``, written: the scores of the games that have ended.
    ended, lengths
        ``int8[games]``, ``int32[games]``, written: 1 if a game has ended, and its number of plies.
    room
        ``float64[seats]``: a workspace.
    """
    seats = rewards.shape[1]
    for game in range(states.shape[0]):
        state, rng = states[game], rngs[game : game + 1]
        for seat in range(seats):
            rewards[game, seat] = 0.0
        ended[game] = 0
        if moves[game] >= 0:
            rules.play(setup, state, moves[game])
        go_on(setup, state, rng, learners[game], random_others)
        if state[TURN] == OVER:
            rules.scores(setup, state, room)
            reward_ranks(room, rewards[game])
            for seat in range(seats):
                scores[game, seat] = room[seat]
            ended[game] = 1
            lengths[game] = state[PLY]
            if learners[game] != NOBODY:
                learners[game] = (learners[game] + turns) % seats
            begin(setup, state, rng, learners[game], random_others)


@compiled
def reward_ranks(scores: Scores, rewards: Table) -> None:
    """Write the rewards at the end of a game: 1 for the best seat, -1 for the worst, in even steps.

    Seats with equal scores have equal rewards, and the sum of all rewards is 0. The reward of the
    only seat of a game is its score.
    """
    seats = scores.size
    if seats == 1:
        rewards[0] = scores[0]
        return
    for seat in range(seats):
        balance = 0
        for other in range(seats):
            if scores[seat] > scores[other]:
                balance += 1
            elif scores[seat] < scores[other]:
                balance -= 1
        rewards[seat] = balance / (seats - 1)


@compiled
def sample_all(setup: Setup, states: States, rngs: Rng, out: Moves) -> None:
    """Write a random legal move of every game, drawn from the generator of its row."""
    for game in range(states.shape[0]):
        out[game] = rules.sample_move(setup, states[game], rngs[game : game + 1])
