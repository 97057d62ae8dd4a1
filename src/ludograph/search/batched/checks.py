"""Checks of a search of many games: positions of one kind, a temperature for each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.errors import InvalidInput
from ludograph.rules import CHANCE, TURN, Setup
from ludograph.rules.observer import sizes_of
from ludograph.search.searched import SearchedPosition


def check_positions(positions: Sequence[SearchedPosition]) -> None:
    """Raise InvalidInput if positions cannot be searched together."""
    if not isinstance(positions, Sequence) or not positions:
        raise InvalidInput("positions must be a list of one position or more")
    setups = {id(each.setup): each.setup for each in positions}.values()
    if len({(type(setup), shape_of(setup)) for setup in setups}) > 1:
        raise InvalidInput("the positions are not of one game with observations of one shape")
    for row, position in enumerate(positions):
        if position.state[TURN] == CHANCE:
            raise InvalidInput(f"no seat is to move in position {row}: chance moves")


def shape_of(setup: Setup) -> tuple[int, ...]:
    """Return all that the arrays of a game with this setup depend on."""
    info = rules.info(setup)
    return (*sizes_of(setup), int(info.move_capacity), int(info.state_size), int(info.seats))


def checked_temperature(temperature: npt.ArrayLike, games: int) -> npt.NDArray[np.float64]:
    """Return the temperature of each game; raise InvalidInput if one is not valid."""
    found = np.asarray(temperature)
    is_number = found.dtype.kind in "iuf" and found.shape in ((), (games,))
    if not is_number or not (np.isfinite(found) & (found >= 0)).all():
        raise InvalidInput(
            f"temperature must be a number from 0 on, or {games} of them, one for each position"
        )
    return np.broadcast_to(found.astype(np.float64), (games,)).copy()
