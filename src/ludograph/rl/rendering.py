"""Pictures of environments: a position as text, or as an array of pixels."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from ludograph.games import Position

RENDER_MODES = ("human", "ansi", "rgb_array")


def render(position: Position, mode: str | None) -> Any:
    """Return a position in a mode of rendering: a text, or ``uint8[height, width, 3]``.

    In the mode ``human`` it is printed, without a mode nothing is done.
    """
    if mode == "rgb_array":
        from PIL import Image

        with Image.open(io.BytesIO(position.png())) as picture:
            return np.asarray(picture.convert("RGB"))
    if mode == "ansi":
        return str(position)
    if mode == "human":
        print(position)
    return None
