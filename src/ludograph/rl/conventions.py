"""What Gymnasium and PettingZoo expect of every environment: bounded spaces, seeds and pictures."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from ludograph.errors import InvalidInput, is_whole
from ludograph.formatting import described
from ludograph.games import Position
from ludograph.rules.observer import Observer

RENDER_MODES = ("human", "ansi", "rgb_array")


def observation_space(starts: Sequence[Position], observer: Observer) -> spaces.Dict:
    """Return the space of the observation of one game.

    Parameters
    ----------
    starts
        The starts of the games.
    observer
        An observer of these games.
    """
    sizes = observer.sizes
    ranges = [start.game.feature_range(start.setup) for start in starts]
    features = min(low for low, _ in ranges), max(high for _, high in ranges)
    bounds = {
        "vertices": features,
        "game": features,
        "moves": (-1, sizes.codes - 1 if observer.by_code else np.iinfo(np.int32).max),
        "action_mask": (0, 1),
        "kinds": (0, max(1, sizes.kinds - 1)),
        "ends": (0, max(1, sizes.touched)),
        "touched": (0, max(1, sizes.vertices - 1)),
    }
    return spaces.Dict(
        {
            name: spaces.Box(*bounds[name], array.shape[1:], array.dtype.type)
            for name, array in observer.arrays.items()
        }
    )


def new_seed() -> int:
    """Return a random seed."""
    return int(np.random.default_rng().integers(1 << 62))


def checked_seed(seed: Any) -> int:
    """Return a seed of an environment; raise InvalidInput if it is no whole number from 0 on."""
    if not is_whole(seed) or seed < 0:
        raise InvalidInput(f"rl: a seed is a whole number from 0 on, got {described(seed)}")
    return int(seed)


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
