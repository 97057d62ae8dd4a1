"""The rule contract: the functions that define a game.

A game implements the first group for its own Setup type, with ``@implements(play, MySetup)``. The
second group has defaults which a game may replace where it can do better; ``register`` declares
that a Setup has all its rules, and which of them replace a default. All are called in the same way
from Python and from kernels; none checks its arguments, none raises.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludograph.rules.dispatch import generic, generic_that_allocates, generic_with_default
from ludograph.rules.layout import CHANCE, OVER, TURN, Moves, Rng, Scores, Setup, State
from ludograph.rules.random import GAMMA, random_below, random_unit, scramble


class GameInfo(NamedTuple):
    """Sizes and bounds of all games of a Setup; none changes during a game.

    Attributes
    ----------
    state_size
        The number of ``int32`` in a state.
    seats
        The number of seats, at least 1.
    move_capacity
        A bound on the number of legal moves, and of chance outcomes, in any state.
    ply_bound
        A bound on the number of plies of any game, chance included.
    lowest_score, highest_score
        The least and the greatest score that any seat can have at the end.
    """

    state_size: int
    seats: int
    move_capacity: int
    ply_bound: int
    lowest_score: float
    highest_score: float


@generic
def info(setup: Setup) -> GameInfo:  # type: ignore[empty-body]
    """Return sizes and bounds, integers and two floats: ``GameInfo(...)``."""


@generic
def start(setup: Setup, state: State) -> None:
    """Fill a fresh state, ``int32[info(setup).state_size]`` of any content."""


@generic
def legal_moves(setup: Setup, state: State, out: Moves) -> int:  # type: ignore[empty-body]
    """Write the codes of the legal moves, or of the outcomes at a chance node; return their number.

    The codes are distinct and at least 0; there is at least one unless the game is over.
    """


@generic
def play(setup: Setup, state: State, move: int) -> None:
    """Play a legal move or a chance outcome, in place. The cost is that of what changes."""


@generic
def scores(setup: Setup, state: State, out: Scores) -> None:
    """Write the score of every seat, at any time of the game; at its end more is better."""


@generic_with_default
def weights(setup: Setup, state: State, outcomes: Moves, out: Scores) -> None:
    """Write the probability of every outcome of a chance node: equally likely by default.

    Parameters
    ----------
    outcomes
        ``int32[k]``: all of them, as ``legal_moves`` lists them.
    out
        ``float64[k]``, or longer.
    """
    for index in range(outcomes.size):
        out[index] = 1.0 / outcomes.size


# The default lists all moves: an array for them as an argument would burden every other game.
@generic_that_allocates
def sample_move(setup: Setup, state: State, rng: Rng) -> int:
    """Return a uniformly random legal move; at a chance node an outcome by its probability.

    The default lists all moves in a new array: a game with many playouts replaces it.
    """
    codes = np.empty(info(setup).move_capacity, np.int32)
    count = legal_moves(setup, state, codes)
    if state[TURN] != CHANCE:
        return codes[random_below(rng, count)]
    chances = np.empty(count, np.float64)
    weights(setup, state, codes[:count], chances)
    rest = random_unit(rng)
    for index in range(count - 1):
        rest -= chances[index]
        if rest < 0.0:
            return codes[index]
    return codes[count - 1]


@generic_with_default
def playout(setup: Setup, state: State, rng: Rng, out: Scores) -> None:
    """Play random moves to the end of the game, in place, and write the scores."""
    while state[TURN] != OVER:
        play(setup, state, sample_move(setup, state, rng))
    scores(setup, state, out)


@generic_with_default
def evaluate(setup: Setup, state: State, out: Scores) -> None:
    """Write an estimate of every seat's score at the end; by default the score now."""
    scores(setup, state, out)


@generic_with_default
def key(setup: Setup, state: State) -> np.uint64:
    """Return a 64-bit hash of the state for transposition tables.

    States with one key are taken to have the same future and the same scores. The default
    hashes every slot; a game that can leave out its ply counter or keep a hash replaces it.
    """
    value = np.uint64(0)
    for slot in range(state.size):
        value = scramble(value + GAMMA + np.uint64(np.uint32(state[slot])))
    return value


@generic_with_default
def drop(setup: Setup, state: State, seat: int) -> None:
    """Take a seat out of a game of three or more: it never moves again, the others go on.

    By default the game ends there, as it does with two seats; the referee ranks the seat last.
    """
    state[TURN] = OVER
