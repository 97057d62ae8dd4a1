"""The Gymnasium space of an observation."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ludograph.rules.observer import Arrays


def observation_space(arrays: Arrays) -> spaces.Dict:
    """Return the space of the observation of one game.

    Parameters
    ----------
    arrays
        The arrays of an :class:`~ludograph.rules.observer.Observer`, with a row for each game.
    """
    return spaces.Dict({name: _space(name, array[0]) for name, array in arrays.items()})


def _space(name: str, array: npt.NDArray[Any]) -> spaces.Space[Any]:
    if name == "action_mask":
        return spaces.Box(0, 1, array.shape, np.int8)
    if array.dtype == np.int32:
        bounds = np.iinfo(np.int32)
        return spaces.Box(int(bounds.min), int(bounds.max), array.shape, np.int32)
    return spaces.Box(-np.inf, np.inf, array.shape, np.float32)
