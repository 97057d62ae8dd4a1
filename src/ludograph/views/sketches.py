"""Sketches as SVG elements: one group for each, so that an animation shows it at its time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ludograph.views.canvas import Canvas, closed_path, ink
from ludograph.views.scene import Scene, Shape

__all__ = ["levels", "pieces", "sketches"]


def levels(scenes: Sequence[Scene]) -> list[int]:
    """Return the levels of all sketches of some scenes, in drawing order."""
    return sorted({sketch.level for scene in scenes for sketch in scene.sketches})


def sketches(canvas: Canvas, scene: Scene, level: int) -> list[str]:
    """Draw the sketches of one level, each as one element."""
    return [
        _drawn(canvas, sketch.shapes, sketch.place)
        for sketch in scene.sketches
        if sketch.level == level
    ]


def pieces(canvas: Canvas, scene: Scene) -> list[str]:
    """Draw the pieces on the cells, each as one element."""
    return [_drawn(canvas, piece.shapes, piece.place) for piece in scene.pieces]


@lru_cache(maxsize=2**14)
def _drawn(canvas: Canvas, shapes: tuple[Shape, ...], place: tuple[float, float]) -> str:
    """Draw a sketch; most of them are in many frames of a game."""
    x, y = canvas.units(np.array(place)).tolist()
    drawn = "".join(_shape(canvas, shape) for shape in shapes)
    return (
        '<g class="sketch" stroke-linecap="round" stroke-linejoin="round"'
        f' transform="translate({x} {y})">{drawn}</g>'
    )


def _shape(canvas: Canvas, shape: Shape) -> str:
    """Draw a shape; lengths are rounded as everything else, whatever its place."""
    path = closed_path(canvas.lengths(shape.points))
    style = f' fill="{ink(shape.fill) if shape.fill else "none"}"'
    if shape.line:
        width = shape.width * canvas.scale * canvas.tenths
        style += f' stroke="{ink(shape.line)}" stroke-width="{width:.3g}"'
        style += ' stroke-linecap="butt"' if shape.blunt else ""
    return f'<path{style} d="{path if shape.closed else path.removesuffix("z")}"/>'
