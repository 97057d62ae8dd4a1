"""Observations of a game: features of a position, and the vertices that each move touches.

Two generic functions with defaults, which a game can replace. ``observe`` writes features per
vertex and per game, from the view of a seat. ``touch`` writes the kind of each legal move and the
vertices that it touches: with these, one policy scores the moves of any game on any graph.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ludograph.rules.contract import info
from ludograph.rules.dispatch import generic_with_default
from ludograph.rules.layout import TURN, Moves, Setup, State

Features: TypeAlias = npt.NDArray[np.float32]


class ObservationInfo(NamedTuple):
    """The sizes of an observation, the same for all states of a setup.

    Attributes
    ----------
    vertices
        Rows of features per vertex; 0 for a game that has none.
    vertex_features, game_features
        Numbers per vertex, and of the game as a whole.
    kinds
        The number of kinds of moves.
    touched
        A bound on the vertices that all legal moves of a state touch together.
    codes
        All move codes are below this; 0 if they are too many for a table of them.
    """

    vertices: int
    vertex_features: int
    game_features: int
    kinds: int
    touched: int
    codes: int


@generic_with_default
def observation(setup: Setup) -> ObservationInfo:
    """Return the sizes of what :func:`observe` and :func:`touch` write."""
    sizes = info(setup)
    return ObservationInfo(0, 0, sizes.state_size + sizes.seats, 1, 0, 0)


@generic_with_default
def observe(setup: Setup, state: State, seat: int, vertices: Features, game: Features) -> None:
    """Write the features of a position as a seat sees it.

    By default the slots of the state as they are, then a 1 for the seat to move, counted from the
    own seat on.

    Parameters
    ----------
    vertices
        ``float32[vertices, vertex_features]`` of :func:`observation`.
    game
        ``float32[game_features]``.
    """
    game[:] = np.float32(0.0)
    for slot in range(state.size):
        game[slot] = state[slot]
    seats = game.size - state.size
    if state[TURN] >= 0:
        game[state.size + (state[TURN] - seat + seats) % seats] = 1.0


@generic_with_default
def touch(
    setup: Setup, state: State, moves: Moves, kinds: Moves, ends: Moves, vertices: Moves
) -> None:
    """Write what kind each move is of, and which vertices it touches: by default none.

    Parameters
    ----------
    moves
        ``int32[k]``: the legal moves of the state.
    kinds
        ``int32[k]``: a kind each, below ``kinds`` of :func:`observation`.
    ends
        ``int32[k]``: move ``i`` touches ``vertices[ends[i - 1] : ends[i]]``, the first from 0 on.
    vertices
        ``int32[touched]``: rows of :func:`observe`, in an order that is part of the move's meaning
        (from, to, ...).
    """
    for place in range(moves.size):
        kinds[place] = 0
        ends[place] = 0
