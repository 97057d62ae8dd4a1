"""Many games of one setup, one after the other: a row of each array per game."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.rules.arrays import copy
from ludograph.rules.compilation import compiled
from ludograph.rules.contract import play, playout, sample_move, scores
from ludograph.rules.layout import OVER, TURN, Rng, Setup, State
from ludograph.rules.random import GAMMA, scramble

States = npt.NDArray[np.int32]
"""``int32[games, info(setup).state_size]``."""

AllScores = npt.NDArray[np.float64]
"""``float64[games, seats]``."""


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
