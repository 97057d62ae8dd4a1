"""Golden pictures: positions of all games, as PNG files that are kept.

``python -m tests.golden.pictures [NAME ...]`` draws all of them anew, or those that are named, into
``pictures/``. Look at what has changed, and commit it with the change that was made on purpose.

They hold no texts, as fonts differ between machines.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ludograph import boards, make, rules
from ludograph.games import Position
from ludograph.views import bitmaps, svg

FOLDER = Path(__file__).with_name("pictures")

WIDTH = 240
"""Pixels of a picture from left to right; its PNG file has as many."""

Pixels = npt.NDArray[np.int16]


def played(name: str, board: Any = None, *, plies: int, seed: int = 1, **options: Any) -> Position:
    """Return a position after some random moves, always the same; earlier if the game is over."""
    position = make(name, board, seed=seed, **options)
    rng = rules.random_state(seed)
    while position.ply < plies and not position.is_over:
        position.play_random(rng)
    return position


def wheel() -> boards.Board:
    """Return a graph without coordinates: eight vertices around one."""
    rim = [(i, 1 + i % 8) for i in range(1, 9)]
    return boards.from_edges(9, [*rim, *((0, i) for i in range(1, 9))], name="wheel")


PICTURES: dict[str, Callable[[], Position]] = {
    "amazons": lambda: played("amazons", plies=14),
    "carcassonne-course": lambda: played("carcassonne", plies=50, rules="course", mode="finite"),
    "carcassonne-official": lambda: played("carcassonne", plies=50, rules="official"),
    "flood-four": lambda: played("flood", "square:10", plies=20, seats=4),
    "flood-graph": lambda: played("flood", wheel(), plies=4),
    "flood-penrose": lambda: played("flood", "penrose:6", plies=12),
    "hex": lambda: played("hex", plies=20, size=7),
    "hex-triangles": lambda: played("hex", "triangular:5", plies=12),
    "hex-won": lambda: played("hex", plies=99, size=5),
    "penguins-hexagons": lambda: played("penguins", "full-hexa:6", plies=16),
    "penguins-octagons": lambda: played("penguins", "octo-tetra:4", plies=14, penguins=2),
    "penguins-penrose": lambda: played("penguins", "penrose:5", plies=16, seats=3, penguins=2),
}


def drawn(position: Position) -> Pixels:
    """Return the picture of a position without texts: ``int16[height, WIDTH, 3]``."""
    scene = replace(position.scene(), labels={}, rows={}, columns={})
    return pixels(bitmaps.png_from_svg(svg.render(scene, size=WIDTH)))


def pixels(data: bytes) -> Pixels:
    """Return the pixels of a PNG file, in a picture of the usual width."""
    from PIL import Image

    with Image.open(io.BytesIO(data)) as image:
        height = round(image.height * WIDTH / image.width)
        small = image.convert("RGB").resize((WIDTH, height), Image.Resampling.BOX)
    return np.asarray(small, dtype=np.int16)


def kept(name: str) -> Pixels:
    """Return a golden picture."""
    return pixels((FOLDER / f"{name}.png").read_bytes())


def share_of_difference(one: Pixels, other: Pixels) -> float:
    """Return the share of pixels that differ clearly; 1 for pictures of other sizes."""
    if one.shape != other.shape:
        return 1.0
    return float((np.abs(one - other).max(axis=2) > CLEARLY).mean())


CLEARLY = 24
"""From which on a difference of a color, of 255, is more than a rounded edge."""


def main() -> None:
    """Draw golden pictures anew."""
    from PIL import Image

    for name in sys.argv[1:] or PICTURES:
        path, after = FOLDER / f"{name}.png", drawn(PICTURES[name]())
        same = path.exists() and share_of_difference(kept(name), after) == 0
        if not same:
            Image.fromarray(after.astype(np.uint8)).save(path, optimize=True)
        print(f"{'kept' if same else 'CHANGED':<7}  {name}", flush=True)


if __name__ == "__main__":
    main()
