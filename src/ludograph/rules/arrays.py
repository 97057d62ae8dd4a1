"""Small kernels on plain arrays that rules and searches share."""

from __future__ import annotations

from typing import Any

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
