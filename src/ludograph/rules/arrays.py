"""Small kernels on plain arrays that rules and searches share."""

from __future__ import annotations

from ludograph.rules.compilation import compiled
from ludograph.rules.layout import State


@compiled
def copy_state(source: State, target: State) -> None:
    """Copy a state into another of its size.

    ``target[:] = source`` means the same, but brings seconds of compilation with it for the
    message about unequal shapes.
    """
    for slot in range(source.size):
        target[slot] = source[slot]
