"""Drawings of queens and arrows, in units of the largest circle inside of a tile."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ludograph.views import Shape
from ludograph.views.curves import ellipse, smooth
from ludograph.views.scene import Floats

CROWN = np.array(
    [
        *((-0.5, 0.36), (-0.74, -0.36), (-0.33, 0.0), (0.0, -0.6)),
        *((0.33, 0.0), (0.74, -0.36), (0.5, 0.36)),
    ]
)
BAND = np.array([(-0.5, 0.36), (0.5, 0.36), (0.54, 0.62), (-0.54, 0.62)])
PEARLS = [ellipse(0.12, 0.12, x, y) for x, y in ((-0.74, -0.44), (0.0, -0.68), (0.74, -0.44))]
JEWELS = [ellipse(0.08, 0.09, x, 0.49) for x in (-0.28, 0.0, 0.28)]
SHADOW = ellipse(0.66, 0.14, 0.03, 0.66)

SHAFT = np.array([(-0.5, 0.5), (0.42, -0.42)])
HEAD = np.array([(0.72, -0.72), (0.16, -0.54), (0.54, -0.16)])
FEATHER = smooth(np.array([(-0.78, 0.6), (-0.54, 0.34), (-0.2, 0.2), (-0.34, 0.54), (-0.6, 0.78)]))
SOOT = ellipse(0.86, 0.86)

GOLD, JEWEL, INK = "#e8b93a", "#b3262e", "#20262c"
WOOD, STEEL, PLUME, BURNT = "#e2c48d", "#d9dee3", "#c8503c", "#3c2a22"
QUEENS = {"white": ("#ffffff", "#d8cfbb", "#4a3c22"), "black": ("#55505c", "#1c1c20", "#0c0c0e")}
"""The bright part, the dark part and the outline of a crown, by the color of its seat."""


@lru_cache
def queen(color: str, radius: float) -> tuple[Shape, ...]:
    """Draw a crown in the color of a seat."""
    light, deep, outline = QUEENS[color]
    line = 0.06 * radius

    def part(points: Floats, fill: str, *, fade: str = "", curved: bool = True) -> Shape:
        return Shape(points * radius, fill, outline, line, curved=curved, fade=fade)

    return (
        Shape(SHADOW * radius, INK, curved=True, opacity=0.25),
        part(CROWN, light, fade=deep, curved=False),
        part(BAND, light, fade=deep, curved=False),
        *(part(pearl, GOLD) for pearl in PEARLS),
        *(Shape(jewel * radius, JEWEL, curved=True) for jewel in JEWELS),
    )


@lru_cache
def arrow(radius: float) -> tuple[Shape, ...]:
    """Draw an arrow on the tile that it has burnt."""
    return (
        Shape(SOOT * radius, BURNT, curved=True, opacity=0.35),
        Shape(SHAFT * radius, line=WOOD, width=0.12 * radius, closed=False),
        Shape(FEATHER * radius, PLUME, curved=True),
        Shape(HEAD * radius, STEEL),
    )
