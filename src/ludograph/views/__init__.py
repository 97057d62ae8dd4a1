"""Pictures of a position: in the terminal, as plain text, as SVG and as an animation.

A view knows no game. See `Scene` for what it is given.
"""

from ludograph.views.scene import (
    EMPTY,
    CellLook,
    Numeral,
    Overlay,
    Region,
    Scene,
    Shape,
    Sketch,
    Spot,
    Stroke,
    Swatch,
)

__all__ = [
    "EMPTY",
    "CellLook",
    "Numeral",
    "Overlay",
    "Region",
    "Scene",
    "Shape",
    "Sketch",
    "Spot",
    "Stroke",
    "Swatch",
]
