"""Small kernels on plain arrays that rules and searches share."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from ludograph.rules.compilation import compiled


@compiled
def copy(source: npt.NDArray[Any], target: npt.NDArray[Any]) -> None:
    """Copy an array to the beginning of another one.

    ``target[:] = source`` is for Python: in a kernel it brings seconds of compilation with it for
    the message about unequal shapes.
    """
    for index in range(source.size):
        target[index] = source[index]


@compiled
def fill(target: npt.NDArray[Any], value: float) -> None:
    """Write a value to every place of an array."""
    for index in range(target.size):
        target[index] = value


@compiled
def softmax(values: npt.NDArray[np.float64]) -> None:
    """Replace logits by their probabilities."""
    greatest = -math.inf
    for index in range(values.size):
        greatest = max(greatest, values[index])
    total = 0.0
    for index in range(values.size):
        values[index] = math.exp(values[index] - greatest)
        total += values[index]
    for index in range(values.size):
        values[index] /= total
