"""How penguins and fish are drawn, in units of the largest circle inside of a tile."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ludograph.views import Shape

CIRCLE = np.stack([f(np.arange(24) * np.pi / 12) for f in (np.cos, np.sin)], axis=1)

BODY = CIRCLE * (0.42, 0.6) + (0, 0.12)
BELLY = CIRCLE * (0.25, 0.4) + (0, 0.2)
HEAD = CIRCLE * 0.29 + (0, -0.5)
FLIPPER = np.array([[0.34, -0.18], [0.66, 0.22], [0.58, 0.34], [0.38, 0.24]])
FOOT = CIRCLE * (0.17, 0.08) + (0.2, 0.72)
BEAK = np.array([[-0.1, -0.48], [0.1, -0.48], [0.0, -0.32]])
EYE = CIRCLE * 0.06 + (0.12, -0.58)
MIRROR = np.array([-1.0, 1.0])

FISH = np.array(
    [
        *((0.3 * np.cos(a), 0.17 * np.sin(a)) for a in np.linspace(-2.6, 2.6, 21)),
        (-0.46, 0.18),
        (-0.4, 0.0),
        (-0.46, -0.18),
    ]
)
PLACES = {1: ((0, 0),), 2: ((0, -0.28), (0, 0.28)), 3: ((-0.02, -0.42), (0, 0), (0.02, 0.42))}

OUTLINE = "#1c1c20"
WHITE = "#ffffff"
ORANGE = "#f08a24"
SCALES = "#4d5b66"


@lru_cache
def penguin(color: str, radius: float) -> tuple[Shape, ...]:
    """Return a penguin in a player's color, with a white belly and a dark outline."""
    line = 0.05 * radius
    return (
        Shape(FOOT * radius, fill=ORANGE),
        Shape(FOOT * MIRROR * radius, fill=ORANGE),
        Shape(FLIPPER * radius, fill=color, line=OUTLINE, width=line),
        Shape(FLIPPER * MIRROR * radius, fill=color, line=OUTLINE, width=line),
        Shape(BODY * radius, fill=color, line=OUTLINE, width=line),
        Shape(BELLY * radius, fill=WHITE),
        Shape(HEAD * radius, fill=color, line=OUTLINE, width=line),
        Shape(EYE * radius, fill=WHITE, line=OUTLINE, width=line),
        Shape(EYE * MIRROR * radius, fill=WHITE, line=OUTLINE, width=line),
        Shape(BEAK * radius, fill=ORANGE, line=OUTLINE, width=line / 2),
    )


@lru_cache
def school(fish: int, radius: float) -> tuple[Shape, ...]:
    """Return one to three fish, one above the other."""
    shapes = []
    for place in PLACES[fish]:
        shapes.append(Shape((FISH + place) * radius, fill=SCALES))
        shapes.append(
            Shape((CIRCLE * 0.035 + (0.17, -0.05) + np.array(place)) * radius, fill=WHITE)
        )
    return tuple(shapes)
