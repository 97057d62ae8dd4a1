"""Sketches as SVG elements: one group for each, so that an animation shows it at its time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ludograph.views.drawing import Canvas, closed_path, ink
from ludograph.views.scene import Scene, Shape

__all__ = ["levels", "sketches"]


def levels(scenes: Sequence[Scene]) -> list[int]:
    """Return the levels of all sketches of some scenes, in drawing order."""
    return sorted({sketch.level for scene in scenes for sketch in scene.sketches})


def sketches(canvas: Canvas, scene: Scene, level: int) -> list[str]:
    """Draw the sketches of one level, each as one element."""
    return [
        '<g class="sketch" stroke-linecap="round" stroke-linejoin="round"'
        f' transform="translate({_place(canvas, sketch.place)})"'
        f">{_drawn(canvas, sketch.shapes)}</g>"
        for sketch in scene.sketches
        if sketch.level == level
    ]


def _place(canvas: Canvas, place: tuple[float, float]) -> str:
    x, y = canvas.units(np.array(place)).tolist()
    return f"{x} {y}"


@lru_cache(maxsize=1024)
def _drawn(canvas: Canvas, shapes: tuple[Shape, ...]) -> str:
    """Draw shapes; those of many sketches are often the same objects."""
    return "".join(_shape(canvas, shape) for shape in shapes)


def _shape(canvas: Canvas, shape: Shape) -> str:
    """Draw a shape; lengths are rounded as everything else, whatever its place."""
    path = closed_path(canvas.lengths(shape.points))
    style = f' fill="{ink(shape.fill) if shape.fill else "none"}"'
    if shape.line:
        width = shape.width * canvas.scale * canvas.tenths
        style += f' stroke="{ink(shape.line)}" stroke-width="{width:.3g}"'
        style += ' stroke-linecap="butt"' if shape.blunt else ""
    return f'<path{style} d="{path if shape.closed else path.removesuffix("z")}"/>'
