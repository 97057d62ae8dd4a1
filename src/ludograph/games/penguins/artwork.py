"""Drawings of penguins, fish and the sea; pieces in units of the free radius on a tile."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ludograph.views import Shape, Sketch
from ludograph.views.colors import DARK, LIGHT, blend, hexadecimal, parse
from ludograph.views.curves import ellipse, joined, piece, smooth, straight
from ludograph.views.scene import Floats

MIRROR = np.array([-1.0, 1.0])

# The right half of a penguin, from the top of its head to its feet; its left half is mirrored.
HALF = np.array([[0.2, -0.78], [0.31, -0.52], [0.37, -0.2], [0.47, 0.2], [0.41, 0.58], [0.2, 0.76]])
BODY = smooth(np.array([[0.0, -0.87], *HALF, [0.0, 0.8], *(HALF * MIRROR)[::-1]]))
BELLY = smooth(
    np.array(
        [
            *((0.0, -0.24), (0.24, -0.1), (0.31, 0.28), (0.2, 0.6), (0.0, 0.7)),
            *((-0.2, 0.6), (-0.31, 0.28), (-0.24, -0.1)),
        ]
    )
)
FLIPPER = smooth(np.array([[0.36, -0.2], [0.56, 0.02], [0.69, 0.36], [0.56, 0.36], [0.4, 0.16]]))
FOOT = ellipse(0.19, 0.08, 0.2, 0.8)
FACE = ellipse(0.14, 0.17, 0.12, -0.5)
EYE = ellipse(0.055, 0.07, 0.11, -0.5)
BEAK = joined(
    [
        piece(np.array([-0.12, -0.38]), np.array([0.0, -0.5]), np.array([0.12, -0.38])),
        piece(np.array([0.12, -0.38]), np.array([0.06, -0.26]), np.array([0.0, -0.23])),
        piece(np.array([0.0, -0.23]), np.array([-0.06, -0.26]), np.array([-0.12, -0.38])),
    ]
)
SHADOW = ellipse(0.5, 0.13, 0.03, 0.82)


def fish_outline() -> Floats:
    """Return the outline of a fish that swims to the right, from its nose along its back."""
    nose, back, belly = (np.array(point) for point in ((0.5, 0.02), (-0.22, -0.05), (-0.22, 0.06)))
    upper, lower = np.array([-0.5, -0.21]), np.array([-0.48, 0.22])
    notch = np.array([-0.38, 0.01])
    return joined(
        [
            piece(nose, np.array([0.22, -0.33]), back, 0.85),
            piece(back, np.array([-0.34, -0.08]), upper),
            piece(upper, np.array([-0.4, -0.06]), notch),
            piece(notch, np.array([-0.4, 0.08]), lower),
            piece(lower, np.array([-0.34, 0.1]), belly),
            piece(belly, np.array([0.2, 0.35]), nose, 0.85),
        ]
    )


FISH = fish_outline()
SHINE = joined(
    [
        piece(np.array([0.47, 0.04]), np.array([0.15, 0.36]), np.array([-0.2, 0.05]), 0.75),
        piece(np.array([-0.2, 0.05]), np.array([0.2, 0.2]), np.array([0.47, 0.04])),
    ]
)
FISH_EYE = ellipse(0.042, 0.042, 0.3, -0.04)
PLACES = {1: ((0, 0),), 2: ((0.1, -0.27), (-0.1, 0.25)), 3: ((0.1, -0.5), (-0.1, 0), (0.1, 0.5))}

SIZES = {1: 1.2, 2: 1.08, 3: 0.95}

ORANGE = "#f08a24"
WHITE = "#ffffff"
INK = "#20262c"
SCALES, SILVER = "#557488", "#b9cfdb"
BRIGHT_SEA, DEEP_SEA, WAVE = "#5aa2cb", "#1f5f8f", "#8cc0dd"

MARGIN = 0.45
"""The width of the sea around the ice, in sides of a tile."""


@lru_cache
def penguin(color: str, radius: float) -> tuple[Shape, ...]:
    """Draw a penguin in a player's color, with a white belly and a dark outline."""
    rgb = parse(color)
    light, deep, outline = (
        hexadecimal(blend(rgb, *mixed)) for mixed in ((LIGHT, 0.22), (DARK, 0.22), (DARK, 0.72))
    )
    line = 0.05 * radius

    def part(points: Floats, fill: str, *, fade: str = "", lined: bool = True) -> Shape:
        edge, width = (outline, line) if lined else ("", 0.0)
        return Shape(points * radius, fill, edge, width, curved=True, fade=fade)

    return (
        Shape(SHADOW * radius, INK, curved=True, opacity=0.2),
        part(FOOT, ORANGE),
        part(FOOT * MIRROR, ORANGE),
        part(FLIPPER, color),
        part(FLIPPER * MIRROR, color),
        part(BODY, light, fade=deep),
        part(BELLY, WHITE, lined=False),
        part(FACE, WHITE, lined=False),
        part(FACE * MIRROR, WHITE, lined=False),
        part(EYE, INK, lined=False),
        part(EYE * MIRROR, INK, lined=False),
        part(BEAK, ORANGE),
    )


@lru_cache
def school(fish: int, radius: float) -> tuple[Shape, ...]:
    """Draw one to three fish, one above the other."""
    size = SIZES[fish] * radius
    return tuple(
        Shape(points * size + np.array(place) * radius, fill, curved=True)
        for place in PLACES[fish]
        for points, fill in ((FISH, SCALES), (SHINE, SILVER), (FISH_EYE, INK))
    )


@lru_cache
def wave(radius: float) -> tuple[Shape, ...]:
    """Draw two small waves for melted ice."""
    crest = smooth(
        np.array([[-0.34, 0.02], [-0.17, -0.05], [0.0, 0.02], [0.17, -0.05], [0.34, 0.02]]),
        closed=False,
    )
    return tuple(
        Shape(
            (crest + place) * radius,
            line=WAVE,
            width=0.05 * radius,
            closed=False,
            curved=True,
            opacity=0.7,
        )
        for place in ((-0.12, -0.14), (0.14, 0.2))
    )


def sea(left: float, top: float, right: float, bottom: float, side: float) -> Sketch:
    """Draw the sea around a board.

    Parameters
    ----------
    left, top, right, bottom
        The edges of the board.
    side
        The side of a usual tile.
    """
    beyond, turn = MARGIN * side, 0.6 * side
    left, top, right, bottom = left - beyond, top - beyond, right + beyond, bottom + beyond
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    steps = []
    for corner, before, after in zip(
        corners, np.roll(corners, 1, 0), np.roll(corners, -1, 0), strict=True
    ):
        start = corner + turn * np.sign(before - corner)
        end = corner + turn * np.sign(after - corner)
        steps.append(piece(start, corner, end))
    lines = [
        straight(np.array([one[-1], next_[0]]))
        for one, next_ in zip(steps, steps[1:] + steps[:1], strict=True)
    ]
    outline = joined([part for pair in zip(steps, lines, strict=True) for part in pair])
    return Sketch((Shape(outline, BRIGHT_SEA, curved=True, fade=DEEP_SEA),))
