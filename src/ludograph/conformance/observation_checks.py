"""Checks of observations: features of a state, and the vertices that its moves touch."""

from __future__ import annotations

import numpy as np

from ludograph import rules
from ludograph.conformance.fault import require
from ludograph.rules import CHANCE, ObservationInfo, Setup, State
from ludograph.rules.answers import moves_at
from ludograph.rules.strict import guarded
from ludograph.search.plain_games import UNWRITTEN

MOST_NUMBERS = 1 << 28
"""The most numbers in the features of one state."""


def check_observation_sizes(setup: Setup) -> None:
    """Check the sizes of observations."""
    sizes = ObservationInfo(*rules.observation(setup))
    require(min(sizes) >= 0, f"a size of an observation is negative: {sizes}")
    numbers = sizes.vertices * sizes.vertex_features + sizes.game_features
    require(0 < numbers <= MOST_NUMBERS, f"an observation has {numbers} numbers")
    require(sizes.kinds > 0, "there is no kind of moves")


def check_observation(setup: Setup, state: State, where: str) -> None:
    """Check each seat's observation of a state that is not over, and the vertices of moves."""
    at, before = f"{where}, ply {state[rules.PLY]}", state.copy()
    sizes, seats = ObservationInfo(*rules.observation(setup)), rules.info(setup).seats
    rows, width = sizes.vertices, sizes.vertex_features
    vertices, stand = guarded(np.empty(rows * width, np.float32))
    game, stands = guarded(np.empty(sizes.game_features, np.float32))
    for seat in range(seats):
        vertices[:], game[:] = np.nan, np.nan
        rules.observe(setup, state, seat, vertices.reshape(rows, width), game)
        require(
            np.isfinite(vertices).all() and np.isfinite(game).all(),
            f"{at}: seat {seat} sees features that are not finite, or not written",
        )
    require(stand() and stands(), f"{at}: observe wrote beyond the end of its arrays")
    if state[rules.TURN] != CHANCE:
        check_touch(setup, state, sizes, at)
    require(np.array_equal(before, state), f"{at}: an observation has changed the state")


def check_touch(setup: Setup, state: State, sizes: ObservationInfo, at: str) -> None:
    """Check the kinds of the legal moves, and the vertices that they touch."""
    moves = moves_at(setup, state)
    count, highest = moves.size, int(moves.max())
    require(
        not sizes.codes or highest < sizes.codes,
        f"{at}: {highest} is a legal move, all codes are said to be below {sizes.codes}",
    )
    unwritten = np.full(max(count, sizes.touched), UNWRITTEN, np.int32)
    kinds, kinds_stand = guarded(unwritten[:count])
    ends, ends_stand = guarded(unwritten[:count])
    touched, stand = guarded(unwritten[: sizes.touched])
    rules.touch(setup, state, moves, kinds, ends, touched)
    require(
        kinds_stand() and ends_stand() and stand(),
        f"{at}: touch wrote beyond the end of its arrays",
    )
    require(
        ((kinds >= 0) & (kinds < sizes.kinds)).all(),
        f"{at}: the moves are of the kinds {kinds.tolist()}, there are {sizes.kinds}",
    )
    rising = (np.diff(ends, prepend=0) >= 0).all()
    require(
        rising and ends[-1] <= sizes.touched,
        f"{at}: what moves touch ends at {ends.tolist()}, with room for {sizes.touched}",
    )
    there = touched[: ends[-1]]
    require(
        ((there >= 0) & (there < sizes.vertices)).all(),
        f"{at}: moves touch the vertices {there.tolist()}, there are {sizes.vertices}",
    )
