"""Pictures of positions: text in a terminal, plain text, SVG, PNG, animations, charts.

A view depends on no game: it draws a `Scene`.
"""

from typing import TYPE_CHECKING

from ludograph.lazy import look_up

if TYPE_CHECKING:
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

__getattr__ = look_up(__name__, dict.fromkeys(__all__, "scene"))
