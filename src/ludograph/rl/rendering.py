"""Pictures of environments: a position as text, or as an array of pixels."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from ludograph.errors import InvalidInput
from ludograph.games import Position

RENDER_MODES = ("human", "ansi", "rgb_array")


def check_mode(mode: str | None) -> None:
    """Raise InvalidInput for an unknown mode of rendering."""
    if mode not in (None, *RENDER_MODES):
        raise InvalidInput(
            f"rl: render_mode must be one of {', '.join(RENDER_MODES)}, got {mode!r:.40}"
        )


def render(position: Position, mode: str | None) -> Any:
    """Return a position in a mode of rendering: a text, or ``uint8[height, width, 3]``.

    The mode ``human`` prints the position and returns None; without a mode the result is None.
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
