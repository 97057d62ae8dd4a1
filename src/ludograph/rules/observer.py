"""The arrays of an observation: the view of the seats to move, in many games of one setup."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy as shallow_copy
from typing import Any

import numpy as np
import numpy.typing as npt

from ludograph.errors import InvalidInput
from ludograph.rules.arrays import copy
from ludograph.rules.batch import States
from ludograph.rules.compilation import compiled
from ludograph.rules.contract import info, legal_moves
from ludograph.rules.features import Features, ObservationInfo, observation, observe, touch
from ludograph.rules.layout import OVER, TURN, Moves, Setup, State

Arrays = dict[str, npt.NDArray[Any]]

Mask = npt.NDArray[np.int8]

SPARSE = 16
"""A mask with more actions than this times the moves is cleared move by move."""

MOST_BYTES = 1 << 33
"""The greatest size of all arrays of an environment, in bytes."""


def sizes_of(setup: Setup) -> ObservationInfo:
    """Return the sizes of an observation, as integers."""
    return ObservationInfo(*map(int, observation(setup)))


def features_of(setup: Setup) -> tuple[Any, ...]:
    """Return what all games of one Observer share, whatever their boards."""
    sizes, seats = sizes_of(setup), int(info(setup).seats)
    return type(setup), seats, sizes.vertex_features, sizes.game_features, sizes.kinds


class Observer:
    """Writes observations of many games into its own arrays.

    Nothing else may write into them: in a large ``action_mask`` only the actions that were legal
    before are cleared.

    Parameters
    ----------
    setup, others
        The setups of the games: of one game, with as many features of a vertex and of the game. The
        arrays have room for the largest; numbers behind those of a smaller one are 0.

    Attributes
    ----------
    arrays
        ``vertices``: ``float32[games, vertices, vertex_features]``; ``game``: ``float32[games,
        game_features]``; ``moves``: ``int32[games, move_capacity]``, the codes of the legal moves,
        -1 behind the last; ``action_mask``: ``int8[games, actions]``. With ``touches`` also
        ``kinds`` and ``ends``: ``int32[games, move_capacity]``, and ``touched``: ``int32[games,
        touched]``, see :func:`ludograph.rules.touch`; entries behind the last move have no meaning.
    counts
        ``int32[games]``: the number of legal moves.
    sizes
        The greatest sizes of an observation of these games.
    by_code
        Whether an action is the code of a move; if not, it is the move's place in ``moves``.
    """

    def __init__(
        self, setup: Setup, games: int, *, touches: bool = False, others: Sequence[Setup] = ()
    ) -> None:
        setups = (setup, *others)
        sizes = ObservationInfo(*np.max([sizes_of(each) for each in setups], axis=0).tolist())
        capacity = max(int(info(each).move_capacity) for each in setups)
        self.sizes, self.touches = sizes, touches
        self.by_code = all(sizes_of(each).codes > 0 for each in setups)
        self.actions = sizes.codes if self.by_code else capacity
        self._shapes: dict[str, tuple[tuple[int, ...], type[np.generic]]] = {
            "vertices": ((sizes.vertices, sizes.vertex_features), np.float32),
            "game": ((sizes.game_features,), np.float32),
            "moves": ((capacity,), np.int32),
            "action_mask": ((self.actions,), np.int8),
        }
        if touches:
            self._shapes |= {
                "kinds": ((capacity,), np.int32),
                "ends": ((capacity,), np.int32),
                "touched": ((sizes.touched,), np.int32),
            }
        self._make_room(games)

    def for_games(self, games: int) -> Observer:
        """Return an observer like this one, with new arrays for some number of games."""
        other = shallow_copy(self)
        other._make_room(games)
        return other

    def _make_room(self, games: int) -> None:
        shapes = self._shapes.values()
        needed = sum(games * math.prod(shape) * np.dtype(kind).itemsize for shape, kind in shapes)
        if needed > MOST_BYTES:
            raise InvalidInput(
                f"the observations of {games} games take {needed / 2**30:.1f} GiB, "
                f"{MOST_BYTES >> 30} GiB are allowed; use fewer games or a smaller board"
            )
        self.arrays: Arrays = {
            name: np.zeros((games, *shape), kind) for name, (shape, kind) in self._shapes.items()
        }
        self.arrays["moves"][:] = -1
        self.counts = np.zeros(games, np.int32)
        capacity = self.arrays["moves"].shape[1]
        kept = capacity if self.by_code and self.actions > SPARSE * capacity else 0
        self._listed = np.zeros((games, kept), np.int32)

    def observe(
        self, setup: Setup, states: States, first: int, watching: Moves | None = None
    ) -> None:
        """Write the observations of the games from ``first`` on, one for each state.

        Parameters
        ----------
        watching
            ``int32[states]``: the seats that see the ends of games, by default seat 0. The only
            action of an ended game is 0.
        """
        rows = slice(first, first + states.shape[0])
        if watching is None:
            watching = np.zeros(states.shape[0], np.int32)
        found, moves, counts = self.arrays, self.arrays["moves"][rows], self.counts[rows]
        mask, listed = found["action_mask"][rows], self._listed[rows]
        vertices, game = found["vertices"][rows], found["game"][rows]
        look_all(setup, states, watching, vertices, game, moves, counts, mask, self.by_code, listed)
        if self.touches:
            kinds, ends, touched = (found[name][rows] for name in ("kinds", "ends", "touched"))
            touch_all(setup, states, moves, counts, kinds, ends, touched)


@compiled
def look_all(  # noqa: PLR0913  # all that an observation is
    setup: Setup,
    states: States,
    watching: Moves,
    vertices: Features,
    games: Features,
    moves: States,
    counts: Moves,
    mask: Mask,
    by_code: bool,
    listed: States,
) -> None:
    """Write what the seat to move sees of every game, and which actions are legal.

    Parameters
    ----------
    watching
        ``int32[games]``: the seats that see the ends of games; action 0 is legal for them.
    vertices, games
        ``float32[games, vertices, vertex_features]``, ``float32[games, game_features]``.
    moves, counts
        ``int32[games, move_capacity]``, with -1 behind the last, and how many there are.
    mask
        ``int8[games, actions]``: 1 for a legal action: a move's code or its place in ``moves``.
    listed
        ``int32[games, move_capacity]``: the moves of the last call, whose actions alone are
        cleared; ``int32[games, 0]``: whole masks are.
    """
    rows = observation(setup).vertices  # other games may have more
    for game in range(states.shape[0]):
        row, legal = moves[game], mask[game]
        count = legal_moves(setup, states[game], row)
        for place in range(count, counts[game]):
            row[place] = -1
        if not by_code:
            for action in range(legal.size):
                legal[action] = action < count
        else:
            if listed.shape[1]:
                legal[0] = 0
                for place in range(counts[game]):
                    legal[listed[game, place]] = 0
                copy(row[:count], listed[game])
            else:
                legal[:] = np.int8(0)
            for place in range(count):
                legal[row[place]] = 1
        if count == 0:
            legal[0] = 1
        counts[game] = count
        seat = states[game, TURN] if states[game, TURN] != OVER else watching[game]
        observe(setup, states[game], seat, vertices[game, :rows], games[game])


@compiled
def look(
    setup: Setup,
    state: State,
    seat: int,
    vertices: Features,
    game: Features,
    moves: Moves,
    mask: Mask,
    by_code: bool,
) -> None:
    """Write what a seat sees of one game into blank arrays, and its actions if it is to move."""
    observe(setup, state, seat, vertices, game)
    if state[TURN] == seat:
        for place in range(legal_moves(setup, state, moves)):
            mask[moves[place] if by_code else place] = 1


@compiled
def touch_all(
    setup: Setup,
    states: States,
    moves: States,
    counts: Moves,
    kinds: States,
    ends: States,
    touched: States,
) -> None:
    """Write what the legal moves of every game touch, see :func:`ludograph.rules.touch`."""
    most = observation(setup).touched
    for game in range(states.shape[0]):
        count = counts[game]
        touch(
            setup,
            states[game],
            moves[game, :count],
            kinds[game, :count],
            ends[game, :count],
            touched[game, :most],
        )
