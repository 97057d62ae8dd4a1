"""Games in lockstep: a row of each array is a game, and a step plays one move in each game.

The moves of chance and of random opponents are drawn from the generator of the row, so the games of
a row depend neither on other rows nor on threads.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import CHANCE, OVER, PLY, TURN, Moves, Rng, Scores, Setup, State, compiled
from ludograph.rules.batch import AllScores, States
from ludograph.search.values import reward_ranks

NOBODY = -1
"""The learner of a row whose seats are all played by the caller."""

NO_MOVE, ILLEGAL = -1, -2
"""Instead of the code of a move: the game waits; its seat loses by an illegal action."""

Table = npt.NDArray[np.float32]
Mask = npt.NDArray[np.int8]
Actions = npt.NDArray[np.int64]


@compiled
def go_on(setup: Setup, state: State, rng: Rng, learner: int, random_others: bool) -> None:
    """Play the moves of chance and random opponents, until a decision of the caller or the end."""
    while state[TURN] == CHANCE or (
        random_others and state[TURN] != OVER and state[TURN] != learner
    ):
        rules.play(setup, state, rules.sample_move(setup, state, rng))


@compiled
def begin_all(
    setup: Setup, states: States, rngs: Rng, learners: Moves, random_others: bool, chosen: Mask
) -> None:
    """Start the chosen games, and play to the first decision of the learner, or of any seat.

    Parameters
    ----------
    rngs, learners
        ``uint64[games]``; ``int32[games]``: the learner's seat in each game, or ``NOBODY``.
    random_others
        Whether the other seats play random moves.
    chosen
        ``int8[games]``: 1 for the games to start.
    """
    for game in range(states.shape[0]):
        if chosen[game]:
            rules.start(setup, states[game])
            go_on(setup, states[game], rngs[game : game + 1], learners[game], random_others)


@compiled
def decode_all(
    actions: Actions, waiting: Mask, mask: Mask, moves: States, by_code: bool, codes: Moves
) -> int:
    """Write the codes of actions; return the first game whose action is not legal, or -1.

    Parameters
    ----------
    waiting
        ``int8[games]``: 1 for the games whose actions are ignored: they get ``NO_MOVE``.
    mask, moves, by_code
        See :class:`~ludograph.rules.observer.Observer`.
    codes
        ``int32[games]``, written. An action that is not legal gets ``ILLEGAL``.
    """
    first = -1
    for game in range(codes.size):
        action = actions[game]
        if waiting[game]:
            codes[game] = NO_MOVE
        elif 0 <= action < mask.shape[1] and mask[game, action]:
            codes[game] = action if by_code else max(moves[game, action], 0)
        else:
            codes[game] = ILLEGAL
            if first < 0:
                first = game
    return first


@compiled
def step_all(
    setup: Setup,
    states: States,
    rngs: Rng,
    learners: Moves,
    random_others: bool,
    moves: Moves,
    rewards: Table,
    scores: AllScores,
    ended: Mask,
    lengths: Moves,
    room: Scores,
) -> None:
    """Play a move in every game, and write the results of the games that it ends.

    A game that was over before its first decision ends by its first move, whatever it is.

    Parameters
    ----------
    learners, random_others
        As in :func:`begin_all`.
    moves
        ``int32[games]``: legal moves, ``NO_MOVE`` or ``ILLEGAL``.
    rewards
        ``float32[games, seats]``, written: see :func:`~ludograph.search.values.reward_ranks`. After
        an illegal action its seat is the worst and all others are equal; the only seat of a game
        gets its lowest score.
    scores
        ``float64[games, seats]``, written: the scores at the end.
    ended, lengths
        ``int8[games]``, ``int32[games]``, written: 1 if a game has ended, and its number of plies.
    room
        ``float64[seats]``: a workspace.
    """
    for game in range(states.shape[0]):
        state, move = states[game], moves[game]
        if move == NO_MOVE:
            continue
        seat = state[TURN]
        is_lost = move == ILLEGAL and seat != OVER
        if is_lost:
            state[TURN] = OVER
        elif seat != OVER:
            rules.play(setup, state, move)
            go_on(setup, state, rngs[game : game + 1], learners[game], random_others)
        if state[TURN] == OVER:
            rules.scores(setup, state, scores[game])
            for each in range(room.size):
                room[each] = 1.0 if is_lost else scores[game, each]
            if is_lost:
                room[seat] = 0.0 if room.size > 1 else rules.info(setup).lowest_score
            reward_ranks(room, rewards[game])
            ended[game] = 1
            lengths[game] = state[PLY]


@compiled
def sample_all(setup: Setup, states: States, rngs: Rng, out: Moves) -> None:
    """Write a random legal move of every game, drawn from its generator; 0 if it is over."""
    for game in range(states.shape[0]):
        out[game] = 0
        if states[game, TURN] != OVER:
            out[game] = rules.sample_move(setup, states[game], rngs[game : game + 1])
