"""Many games of one setup side by side: a 2-D array of states, a row per game."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.rules.arrays import copy
from ludograph.rules.compilation import compiled
from ludograph.rules.contract import play, playout, sample_move, scores, start
from ludograph.rules.layout import OVER, TURN, Rng, Setup, State
from ludograph.rules.random import GAMMA, scramble

States = npt.NDArray[np.int32]
"""``int32[games, info(setup).state_size]``."""

AllScores = npt.NDArray[np.float64]
"""``float64[games, seats]``."""


@compiled
def start_all(setup: Setup, states: States) -> None:
    """Fill every row with a fresh state."""
    for game in range(states.shape[0]):
        start(setup, states[game])


@compiled
def play_all(setup: Setup, states: States, moves: npt.NDArray[np.int32]) -> None:
    """Play ``moves[game]`` in every game that is not over; ``int32[games]``."""
    for game in range(states.shape[0]):
        if states[game, TURN] != OVER:
            play(setup, states[game], moves[game])


@compiled
def sample_all(setup: Setup, states: States, rng: Rng, out: npt.NDArray[np.int32]) -> None:
    """Write a random legal move of every game, -1 where it is over; ``int32[games]``."""
    for game in range(states.shape[0]):
        out[game] = -1
        if states[game, TURN] != OVER:
            out[game] = sample_move(setup, states[game], rng)


@compiled
def score_all(setup: Setup, states: States, out: npt.NDArray[np.float64]) -> None:
    """Write the scores of every game; ``float64[games, seats]``."""
    for game in range(states.shape[0]):
        scores(setup, states[game], out[game])


@compiled
def playout_all(
    setup: Setup, state: State, word: np.uint64, first: int, rng: Rng, room: State, out: AllScores
) -> None:
    """Play a state to the end by ``playout``, once for each row, and write the scores.

    Parameters
    ----------
    word, first
        The random numbers of row ``i`` are those of ``random_state(seed, first + i)``, where
        ``word`` is ``random_state(seed)[0]``.
    rng, room
        Room for a generator, and for a state.
    out
        ``float64[games, seats]``.
    """
    for game in range(out.shape[0]):
        copy(state, room)
        rng[0] = stream(word, first + game)
        if room[TURN] != OVER:
            playout(setup, room, rng, out[game])
        else:
            scores(setup, room, out[game])


@compiled
def random_game_all(  # noqa: PLR0913  # its room and its results, by their names
    setup: Setup,
    state: State,
    word: np.uint64,
    first: int,
    rng: Rng,
    room: State,
    moves: States,
    plies: npt.NDArray[np.int32],
    out: AllScores,
) -> None:
    """Play a state to the end by uniformly random moves, once for each row.

    Parameters
    ----------
    word, first, rng, room, out
        As in :func:`playout_all`.
    moves
        ``int32[games, columns]``: the moves, outcomes of chance included, as far as there are
        columns; -1 behind the last.
    plies
        ``int32[games]``: how many moves were played.
    """
    for game in range(out.shape[0]):
        copy(state, room)
        rng[0] = stream(word, first + game)
        count = 0
        while room[TURN] != OVER:
            move = sample_move(setup, room, rng)
            if count < moves.shape[1]:
                moves[game, count] = move
            play(setup, room, move)
            count += 1
        for column in range(count, moves.shape[1]):
            moves[game, column] = -1
        plies[game] = count
        scores(setup, room, out[game])


@compiled
def stream(word: np.uint64, number: int) -> np.uint64:
    """Return ``random_state(seed, number)[0]`` from ``random_state(seed)[0]``."""
    return scramble(word + np.uint64(number + 1) * GAMMA)
