"""Common definitions of the rules of all games: types, and the first slots of a state."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

State: TypeAlias = npt.NDArray[np.int32]
"""The state of a game, which changes during it: one flat ``int32`` array."""

Moves: TypeAlias = npt.NDArray[np.int32]
"""An array for move codes: ``int32[info(setup).move_capacity]``."""

Scores: TypeAlias = npt.NDArray[np.float64]
"""One number per seat: ``float64[info(setup).seats]``."""

Rng: TypeAlias = npt.NDArray[np.uint64]
"""The state of a random generator: ``uint64[1]``, see :mod:`ludograph.rules.random`."""

Setup: TypeAlias = Any
"""The fixed data of one game: a ``NamedTuple`` of arrays and numbers, a type per game."""

TURN = 0
"""Slot of the seat to move, or ``CHANCE``, or ``OVER``."""

PLY = 1
"""Slot of the number of moves played, chance included."""

HEADER = 2
"""The first slot that belongs to the game itself."""

CHANCE = -1
"""``state[TURN]`` when chance moves: a die, the next tile."""

OVER = -2
"""``state[TURN]`` when the game has ended."""
